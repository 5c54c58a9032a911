/** Histories of addresses, as a node lists them, and what the listed transactions did. */
import type { Listed, Teller, Transaction } from './chain.js';
import { Fault, Unreachable } from './fault.js';

/**
 * A node does not tell a history as far back as is needed: it has forgotten it, never had it, or
 * does not tell it in order. This says nothing about the proof.
 */
export class IncompleteHistoryError extends Unreachable {
  constructor(why: string) {
    super(`the history is not walked: ${why}`);
  }
}

/** The part of a history that is walked. */
export interface Span {
  /** Where it begins, included; empty for what is newest now. */
  readonly newest: string;
  /** A slot by which `newest` has landed. */
  readonly by?: bigint;
  /**
   * Must come up before `after` is reached, or the history is not walked: a node that does not know
   * it answers an empty list, or an endless one. Empty where there is nothing to be seen.
   */
  readonly seen: string;
  /** The slot after which transactions belong to the span. */
  readonly after: bigint;
}

/**
 * How many transactions of an account between two anchors are walked at most: more than that a
 * stranger may cause, and no reader should wait for it.
 */
const MAX_TRANSACTIONS = 2_000_000;
/** Slots by which a node can be behind the chain: a day of slots of 200 ms. A later slot does not exist. */
const MAX_LAG = 432_000n;
/** Transactions that are asked for at once. */
const AT_ONCE = 8;

/**
 * Reads what a transaction did that landed between two slots, both included. When the node does not
 * know the transaction, that is a fault only if the node knows all of those slots.
 */
export async function landing(
  node: Teller,
  signature: string,
  from: bigint,
  to: bigint,
): Promise<Transaction> {
  const t = await node.landing(signature);
  if (t) return t;
  const known = await node.remembers();
  if (known === null)
    throw new Unreachable(`the node does not know ${signature}, nor say how far back it remembers`);
  if (known.first > from)
    throw new Unreachable(
      `the node has forgotten what was before slot ${known.first}: ask one with the whole history`,
    );
  if (isBehind(known.newest, to)) throw behind(known.newest, to);
  throw new Fault(`${signature} has not landed`);
}

/** Throws when the node does not know a slot yet. */
export async function knows(node: Teller, slot: bigint): Promise<void> {
  const known = await node.remembers();
  if (known === null) throw new Unreachable('the node does not say which slot it is at');
  if (isBehind(known.newest, slot)) throw behind(known.newest, slot);
}

const isBehind = (newest: bigint, slot: bigint): boolean => newest < slot && slot - newest <= MAX_LAG;

const behind = (at: bigint, slot: bigint): Unreachable =>
  new Unreachable(`the node is at slot ${at}, and is to know slot ${slot}`);

/** Lists the transactions of the span that name an address, the oldest first; or IncompleteHistoryError. */
export async function history(node: Teller, address: string, span: Span): Promise<Listed[]> {
  const list: Listed[] = [];
  const add = (l: Listed) => {
    if (list.length >= MAX_TRANSACTIONS)
      throw new IncompleteHistoryError(`${address} has more than ${MAX_TRANSACTIONS} transactions`);
    list.push(l);
  };
  let seen = span.seen === '';
  let before = span.newest;
  let slot = 0n;
  if (span.newest !== '') {
    const newest = await landing(node, span.newest, span.after, span.by ?? span.after);
    slot = newest.slot;
    if (newest.lamports(address)) add({ signature: span.newest, slot });
  }
  const known = new Set([span.newest]);
  const missing = () => new IncompleteHistoryError(`the node does not list ${span.seen} of ${address}`);
  for (;;) {
    const page = await node.page(address, before);
    for (const l of page) {
      if (known.has(l.signature))
        throw new IncompleteHistoryError(`the node lists ${l.signature} of ${address} twice`);
      if (slot !== 0n && l.slot > slot)
        throw new IncompleteHistoryError(`the node lists slot ${l.slot} of ${address} after slot ${slot}`);
      known.add(l.signature);
      seen ||= l.signature === span.seen;
      before = l.signature;
      slot = l.slot;
      if (l.slot <= span.after) {
        if (!seen) throw missing();
        return list.reverse();
      }
      add(l);
    }
    if (page.length === 0) break;
  }
  if (!seen) throw missing();
  return list.reverse();
}

/**
 * Returns each transaction of several histories once, in the order of slots. Within a slot the order
 * of the first history that has both is kept.
 */
export function merge(histories: readonly (readonly Listed[])[]): Listed[] {
  const all = new Map<string, Listed>();
  for (const l of histories.flat()) if (!all.has(l.signature)) all.set(l.signature, l);
  return [...all.values()].sort((a, b) => (a.slot < b.slot ? -1 : a.slot > b.slot ? 1 : 0));
}

/** Reads what the listed transactions did, in their order. */
export async function read(node: Teller, list: readonly Listed[]): Promise<Transaction[]> {
  const found: Transaction[] = new Array(list.length);
  node.expect?.(list.length);
  let [next, failed] = [0, false];
  const work = async () => {
    while (next < list.length && !failed) {
      const at = next++;
      const { signature, slot } = list[at] as Listed;
      try {
        const t = await landing(node, signature, slot, slot);
        if (t.slot !== slot)
          throw new Fault(`${signature} landed at slot ${t.slot}, and is listed at slot ${slot}`);
        found[at] = t;
      } catch (cause) {
        failed = true;
        throw cause;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}
