/** What rows say that was paid, and what the chain's balances add up to. */
import { u64 } from './allocation.js';
import { Fault, Rules } from './fault.js';
import type { Source } from './files.js';
import { readRow, rowHeader } from './held.js';
import { parseAsset, type Row, SOL } from './line.js';
import type { Manifest, Statement } from './manifest.js';
import { isClaimFee } from './rows.js';
import { type Name, of } from './statement.js';
import { walk as lines } from './table.js';
import type { Walked } from './walk.js';

/** What a transaction moved according to a row. */
export interface Payment {
  readonly owner: string;
  readonly asset: string;
  paid: bigint;
  readonly received: bigint;
  /** The payee bore the rent of an account. */
  readonly charged: boolean;
}

/** What is reserved for an owner. */
export interface Reserved {
  readonly owner: string;
  readonly asset: string;
  amount: bigint;
}

/** The rows by the transaction that paid them, and what they reserve. */
export interface Payments {
  readonly paid: ReadonlyMap<string, readonly Payment[]>;
  readonly reserved: readonly Reserved[];
}

/** Gathers the payments of rows and creators. */
export async function payments(source: Source, m: Manifest, late: ReadonlySet<string>): Promise<Payments> {
  const paid = new Map<string, Payment[]>();
  const reserved = new Map<string, Reserved>();
  const add = (
    r: {
      readonly paid: bigint;
      readonly received: bigint;
      readonly reserved: bigint;
      readonly signature: string;
    },
    owner: string,
    asset: string,
    charged: boolean,
  ) => {
    const to = `${asset} ${owner}`;
    if (r.reserved > 0n)
      reserved.set(to, { owner, asset, amount: u64((reserved.get(to)?.amount ?? 0n) + r.reserved) });
    if (r.paid === 0n) return;
    const payment = { owner, asset, paid: r.paid, received: r.received, charged };
    const list = paid.get(r.signature);
    if (list) list.push(payment);
    else paid.set(r.signature, [payment]);
  };
  // A row may be charged for a claim: of this run, or of an earlier one that was undecided.
  const claimed = (row: Row) => (m.kind === 'claim' || late.has(row.signature)) && isClaimFee(row);
  for await (const row of lines(source, m.rows, rowHeader(m), 0n, readRow(m, paid)))
    add(row, row.owner, row.asset, row.charged > 0n && !claimed(row));
  for (const l of m.legs) for (const c of l.creators) add(c, c.wallet, parseAsset(l.asset), false);
  return { paid, reserved: [...reserved.values()] };
}

/** The assets that statements are about. */
export const assetsOf = (m: Manifest): readonly string[] => [
  ...new Set([SOL, m.mint, ...m.legs.map((l) => parseAsset(l.asset))]),
];

/** The statement of an asset; undefined when there is none. */
export const statementOf = (m: Manifest, asset: string): Statement | undefined =>
  m.statements.find((s) => s.asset === asset);

/** What a walk adds up to, by asset and name. */
export class Lines {
  private readonly sums = new Map<string, bigint>();

  add(asset: string, name: Name, amount: bigint): void {
    const sum = this.get(asset, name) + amount;
    if (sum >= 2n ** 64n) throw new Fault(`${name} of ${asset} exceed 64 bits`);
    this.sums.set(`${asset} ${name}`, sum);
  }

  get(asset: string, name: Name): bigint {
    return this.sums.get(`${asset} ${name}`) ?? 0n;
  }
}

/** What of a statement no transaction explains. */
const unexplained = (s: Statement): bigint =>
  [...s.in, ...s.out]
    .filter((e) => e.name === 'undecided' || e.name === 'adjustment')
    .reduce((sum, e) => u64(sum + e.amount), 0n);

/** Whether the books state something that no transaction explains. */
export const allowance = (m: Manifest): boolean => m.statements.some((s) => unexplained(s) > 0n);

/** The names of the chain, each with those of the statement that it is. */
const NAMES: readonly (readonly [Name, ...Name[]])[] = [
  ['collected'],
  ['deposits'],
  ['proceeds', 'fuel'],
  ['receiptsReturned'],
  ['burned'],
  ['sold', 'fuelSold'],
  ['creator'],
  ['holders'],
  ['taxOnSending'],
  ['fees'],
  ['rent'],
  ['receiptsLent'],
];

/** Holds the lines that were added up against the statements. */
export function agree(m: Manifest, is: Lines, w: Walked, undecided: boolean): void {
  const r = new Rules();
  for (const asset of assetsOf(m)) {
    const s = statementOf(m, asset) ?? { asset, opening: 0n, in: [], out: [], closing: 0n, heldFor: [] };
    const opening = w.opening.get(asset) ?? null;
    // An asset that no proof was about has been there before.
    const before = opening !== null && s.opening === 0n ? opening : 0n;
    r.hold(
      opening === null || s.opening === 0n || opening === s.opening,
      () => `the statement of ${asset} opens with ${s.opening}, and there were ${opening}`,
    );
    const closing = w.closing.get(asset) ?? opening ?? 0n;
    r.hold(
      closing === s.closing,
      () => `the statement of ${asset} closes with ${s.closing}, and the chain with ${closing}`,
    );
    for (const [name, ...also] of NAMES) {
      const stated = [name, ...also].reduce((sum, n) => u64(sum + of(s, n)), 0n);
      const found = u64(is.get(asset, name) + (name === 'deposits' ? before : 0n));
      const off = stated > found ? stated - found : found - stated;
      r.hold(
        off === 0n || (undecided && off <= unexplained(s)),
        () => `the statement of ${asset} has ${name} ${stated}, and the chain ${found}`,
      );
    }
  }
  r.end();
}
