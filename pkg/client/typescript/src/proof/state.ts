/**
 * Follows the balances of accounts through their transactions. They are unbroken when each
 * transaction begins with what the one before has left.
 */
import type { Transaction } from './chain.js';
import { Fault } from './fault.js';

/** How many steps the search for the order within a slot takes at most. */
const ORDER_STEPS = 10_000;

export class State {
  constructor(
    /** Whose the token accounts are. */
    private readonly owner: string,
    /** Those of the owner; null until a transaction tells. */
    public lamports: bigint | null,
    /** The balances of the owner's token accounts that are followed; null until a transaction tells. */
    public readonly tokens: Map<string, bigint | null>,
  ) {}

  /** Why the transaction does not begin with the state; empty when it does. */
  private misfit(t: Transaction): string {
    const sol = t.lamports(this.owner);
    if (sol && this.lamports !== null && sol.before !== this.lamports)
      return `it begins with ${sol.before} lamports of ${this.owner}, and there were ${this.lamports}`;
    if (!t.showsTokens) return '';
    for (const { address } of t.accounts) {
      const had = this.tokens.get(address) ?? null;
      if (had === null) continue;
      const before = t.tokensOf(address, this.owner, false);
      if (before !== had) return `it begins with ${before} tokens in ${address}, and there were ${had}`;
    }
    return '';
  }

  private take(t: Transaction): void {
    this.lamports = t.lamports(this.owner)?.after ?? this.lamports;
    if (!t.showsTokens) return;
    for (const address of this.tokens.keys())
      if (t.lamports(address)) this.tokens.set(address, t.tokensOf(address, this.owner, true));
  }

  /** Follows a transaction. Throws when it does not begin with the state. */
  follow(t: Transaction): void {
    const why = this.misfit(t);
    if (why !== '') throw new Fault(`the balances are not an unbroken chain: ${t.signature}: ${why}`);
    this.take(t);
  }

  private clone(): State {
    return new State(this.owner, this.lamports, new Map(this.tokens));
  }

  /**
   * Puts the transactions of each slot into an order in which each begins with what the one before
   * has left: nodes need not list them so, least of all those of several accounts. Where it finds
   * none, they stay.
   */
  order(list: Transaction[]): void {
    let now = this.clone();
    for (let from = 0; from < list.length; ) {
      let to = from + 1;
      while (to < list.length && list[to]?.slot === list[from]?.slot) to++;
      const found = now.ordered(list.slice(from, to));
      if (!found) return;
      for (const [i, t] of found.list.entries()) list[from + i] = t;
      now = found.end;
      from = to;
    }
  }

  /** Searches an order that fits, depth first; the listed one if it does. */
  private ordered(list: readonly Transaction[]): { list: Transaction[]; end: State } | null {
    const path: { at: number; state: State }[] = [];
    const used = new Set<number>();
    let steps = ORDER_STEPS;
    let at = 0;
    while (path.length < list.length) {
      const state = path.at(-1)?.state ?? this;
      for (; at < list.length; at++) {
        if (used.has(at)) continue;
        if (--steps < 0) return null;
        if (state.misfit(list[at] as Transaction) === '') break;
      }
      if (at < list.length) {
        const next = state.clone();
        next.take(list[at] as Transaction);
        path.push({ at, state: next });
        used.add(at);
        at = 0;
        continue;
      }
      const back = path.pop();
      if (!back) return null;
      used.delete(back.at);
      at = back.at + 1;
    }
    return { list: path.map((p) => list[p.at] as Transaction), end: path.at(-1)?.state ?? this };
  }
}
