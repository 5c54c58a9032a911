/**
 * The snapshot, proven from the one before and the mint's history between: on a mint with a
 * transfer fee every change of a balance names the mint. The first is proven from the mint's
 * creation.
 */
import { u64 } from './allocation.js';
import { isTokenProgram, type Listed, type Teller, type Transaction } from './chain.js';
import { Fault } from './fault.js';
import type { Source } from './files.js';
import { leftOutHeader, readLeftOut, readRow, rowHeader, snapshotBefore } from './held.js';
import { history, IncompleteHistoryError, read } from './history.js';
import { parseTransaction, TRANSACTION_HEADER, ZERO } from './line.js';
import type { Manifest } from './manifest.js';
import { SHARING } from './named.js';
import { walk as lines } from './table.js';
import { burns, mints, readMovement } from './token.js';
import { anchoredBy, type Run } from './walk.js';

type Balances = Map<string, bigint>;

/** What owners hold, in arithmetic modulo 2^64: only sums that come out matter. */
class Census {
  readonly counted = new Set<string>();

  constructor(
    private readonly mint: string,
    readonly balances: Balances,
    public supply: bigint,
  ) {}

  private add(owner: string, amount: bigint): void {
    this.balances.set(owner, u64((this.balances.get(owner) ?? 0n) + amount));
  }

  /** Adds what a transaction changed. */
  count(t: Transaction): void {
    if (t.failed !== '' || this.counted.has(t.signature)) return;
    this.counted.add(t.signature);
    for (const a of t.tokens) {
      if (a.mint !== this.mint) continue;
      this.add(a.ownerBefore, -a.before);
      this.add(a.ownerAfter, a.after);
    }
    for (const one of t.instructions) {
      if (!isTokenProgram(one.program)) continue;
      try {
        const m = readMovement(one);
        if (m?.mint !== this.mint) continue;
        if (burns(m.kind)) this.supply = u64(this.supply - m.amount);
        if (mints(m.kind)) this.supply = u64(this.supply + m.amount);
      } catch (cause) {
        if (!(cause instanceof Fault)) throw cause; // a malformed one moves nothing
      }
    }
  }

  /** The owners who hold something else than is wanted. */
  odd(want: Balances): Set<string> {
    const odd = new Set<string>();
    for (const [owner, balance] of want) if ((this.balances.get(owner) ?? 0n) !== balance) odd.add(owner);
    for (const [owner, balance] of this.balances)
      if (balance !== 0n && want.get(owner) !== balance && owner !== ZERO) odd.add(owner);
    return odd;
  }
}

/** What everyone holds according to a proof. */
async function ownersOf(source: Source, m: Manifest): Promise<Balances> {
  const all: Balances = new Map();
  for await (const row of lines(source, m.rows, rowHeader(m), 0n, readRow(m)))
    if (row.balance > 0n) all.set(row.owner, row.balance);
  for await (const left of lines(source, m.leftOut, leftOutHeader(m), 0n, readLeftOut(m)))
    all.set(left.owner, left.balance);
  return all;
}

/** What a run burned, sold and paid in the slot of its snapshot. */
async function inSnapshotsSlot(source: Source, m: Manifest): Promise<Listed[]> {
  const list: Listed[] = [];
  for await (const { purpose, signature, slot } of lines(
    source,
    m.transactions,
    TRANSACTION_HEADER,
    0n,
    parseTransaction,
  ))
    if (SHARING.includes(purpose) && slot === m.snapshot.chainSlot) list.push({ signature, slot });
  return list;
}

/** The proof that has the snapshot before; null when there is none. */
async function beforeOf({ source, manifest, previous }: Run): Promise<Manifest | null> {
  if (manifest.previous === '') return null;
  if (!previous) throw new IncompleteHistoryError('the proof before is not at hand');
  return (await snapshotBefore(source, manifest, previous))?.manifest ?? null;
}

/**
 * Proves the snapshot, and returns the number of transactions of the mint that it follows from. A snapshot that
 * is proven from the mint's creation tells `launched` of the transaction.
 */
export async function proveHolders(
  run: Run,
  node: Teller,
  launched: (launch: Transaction) => void,
): Promise<number> {
  const { source, manifest: m, anchor } = run;
  const before = await beforeOf(run);
  const after = before?.snapshot.chainSlot ?? 0n;
  const census = new Census(
    m.mint,
    before ? await ownersOf(source, before) : new Map(),
    before?.snapshot.supply ?? 0n,
  );
  // What a run itself burned, sold and paid in the slot of its snapshot came after it.
  for (const { signature } of await inSnapshotsSlot(source, m)) census.counted.add(signature);
  if (before) for (const t of await read(node, await inSnapshotsSlot(source, before))) census.count(t);
  const want = await ownersOf(source, m);
  const span = { newest: anchor.signature, by: anchoredBy(m), seen: run.previousAnchor, after };
  const upTo = (l: { readonly slot: bigint }) => l.slot <= m.snapshot.chainSlot;
  const list = (await history(node, m.mint, span)).filter(upTo);
  const transactions = await read(node, list);
  if (!before) launched(creation(m, transactions));
  for (const t of transactions) census.count(t);
  const odd = census.odd(want);
  if (odd.size > 0)
    for (const account of await accountsOfOdd(node, odd, m)) {
      const own = (await history(node, account, { newest: '', seen: '', after })).filter(
        (l) => upTo(l) && !census.counted.has(l.signature),
      );
      for (const t of await read(node, own)) census.count(t);
    }
  const [who, ...others] = [...census.odd(want)].sort();
  if (who !== undefined)
    throw new Fault(
      `${who} holds ${census.balances.get(who) ?? 0n} by the mint's history, and ${want.get(who) ?? 0n} by the snapshot; so do ${others.length + 1} owners`,
    );
  if (census.supply !== m.snapshot.supply)
    throw new Fault(
      `the supply is ${census.supply} by the mint's history, and ${m.snapshot.supply} by the snapshot`,
    );
  return list.length;
}

/** The mint's creation: the first transaction of the history that succeeded, which the creator paid for. */
function creation(m: Manifest, all: readonly Transaction[]): Transaction {
  const first = all.find((t) => t.failed === '');
  if (!first) throw new IncompleteHistoryError('the node knows nothing of the mint');
  if ((first.lamports(m.mint)?.before ?? 0n) > 0n || !first.signedBy(m.mint))
    throw new IncompleteHistoryError("the node's history of the mint does not begin with its creation");
  if (first.payer !== m.creator)
    throw new Fault(`${first.payer} launched the token, and the proof says ${m.creator}`);
  return first;
}

/**
 * The accounts that owners of odd balances have now, and those that they had when something moved
 * later: a transaction that changes an account's owner need not name the mint.
 */
async function accountsOfOdd(node: Teller, odd: ReadonlySet<string>, m: Manifest): Promise<Set<string>> {
  const accounts = new Set<string>();
  const later = await history(node, m.mint, { newest: '', seen: '', after: m.snapshot.chainSlot });
  for (const t of await read(node, later))
    for (const a of t.tokens) if (a.mint === m.mint && odd.has(a.ownerBefore)) accounts.add(a.address);
  for (const owner of odd)
    for (const account of await node.tokenAccountsOf(owner, m.mint)) accounts.add(account);
  return accounts;
}
