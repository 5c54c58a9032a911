/** All rows, computed again from the balances. */
import { type Owing, owing } from './before.js';
import { compare } from './bytes.js';
import { Fault, within } from './fault.js';
import type { Source } from './files.js';
import { leftOutHeader, readLeftOut, readRow, rowHeader } from './held.js';
import { parseAsset, type Row, SOL } from './line.js';
import { type Leg, type Manifest, minimumOf, type Sums, weigh, weightOf } from './manifest.js';
import { Ordered, Outsiders } from './ordered.js';
import type { Tally } from './report.js';
import { walk } from './table.js';

async function before<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    throw within('the run before', cause);
  }
}

const COLUMNS = [
  'balance',
  'share',
  'owed',
  'paid',
  'received',
  'charged',
  'carried',
  'reserved',
  'total',
] as const;
type Column = (typeof COLUMNS)[number];

/** The further input of the check of the rows. */
export interface Beside {
  readonly source: Source;
  readonly m: Manifest;
  /** The manifest of the run before; null when it is not there to be read. */
  readonly previous: Manifest | null;
  /** The signatures of the payments, and whether a row has each. */
  readonly pays: Map<string, boolean>;
  /** Payments that landed before the books of the run before were closed. */
  readonly late: ReadonlyMap<string, unknown>;
  /** Told now and then how many rows were read. */
  readonly progress: (rows: number) => void;
}

/** How often progress is told, in rows. */
const OFTEN = 256;

/**
 * Computes all rows again, and holds them against who is left out, what was paid and what was owed.
 * Returns those who are left out for a reason that only the service states.
 */
export async function checkRows(b: Beside): Promise<Tally | null> {
  let count = 0;
  let trusted: Tally | null = null;
  const rows = walk(b.source, b.m.rows, rowHeader(b.m), 0n, readRow(b.m, b.pays));
  const next = async (): Promise<Row | null> => {
    const got = await rows.next();
    if (++count % OFTEN === 0) b.progress(count);
    return got.done ? null : got.value;
  };
  for (const [i, leg] of b.m.legs.entries()) {
    try {
      trusted = (await checkLeg(b, i, leg, next)) ?? trusted;
    } catch (cause) {
      throw within(leg.asset, cause);
    }
  }
  const more = await next();
  if (more) throw new Fault(`after the last leg there is a row of ${more.owner}`);
  for (const [signature, used] of b.pays) {
    if (!used) throw new Fault(`the payment ${signature} pays no row`);
  }
  return trusted;
}

async function checkLeg(
  b: Beside,
  number: number,
  l: Leg,
  next: () => Promise<Row | null>,
): Promise<Tally | null> {
  const asset = parseAsset(l.asset);
  const terms = termsOf(b.m, l, number);
  const outside =
    number === 0
      ? new Outsiders(walk(b.source, b.m.leftOut, leftOutHeader(b.m), 0n, readLeftOut(b.m)), b.m)
      : null;
  const owed = b.previous ? new Ordered(owing(b.previous, b.source, asset)) : null;
  const sums = Object.fromEntries(COLUMNS.map((c) => [c, 0n])) as Record<Column, bigint>;
  let [sharing, weight, paidTo, carriedTo] = [0n, 0n, 0n, 0n];
  let last: Row | null = null;
  for (let n = 0n; n < l.rows; n++) {
    const row: Row | null = await next();
    if (!row) throw new Fault(`row ${n} is missing`);
    if (row.asset !== asset || (last && compare(last.key, row.key) >= 0))
      throw new Fault(`row ${n}, of ${row.owner} in ${row.asset}, is out of order`);
    last = row;
    try {
      checkRow(b, row, terms);
    } catch (cause) {
      throw within(`the row of ${row.owner}`, cause);
    }
    if (row.balance > 0n) sharing++;
    weight += weigh(b.m, row);
    await outside?.disjoint(row);
    if (owed) took(await before(passed(owed, row)), row, b.late);
    for (const c of COLUMNS) sums[c] += row[c];
    if (row.paid > 0n) paidTo++;
    if (row.carried > 0n) carriedTo++;
  }
  const got: Sums = { ...sums, paidTo, carriedTo };
  for (const [column, sum] of Object.entries(got) as [keyof Sums, bigint][]) {
    if (sum !== l.sums[column])
      throw new Fault(`the column ${column} adds up to ${sum}, not to ${l.sums[column]}`);
  }
  if (owed) await before(passed(owed, null));
  if (!outside) return null;
  if (sharing !== b.m.snapshot.eligible.owners)
    throw new Fault(`${sharing} owners share, not ${b.m.snapshot.eligible.owners}`);
  if (weight !== terms.eligible)
    throw new Fault(`what counts of the balances adds up to ${weight}, not to ${terms.eligible}`);
  await outside.end(b.m);
  return outside.trusted;
}

interface Terms {
  readonly total: bigint;
  readonly eligible: bigint;
  readonly minimum: bigint;
  readonly worthPaying: bigint;
}

function termsOf(m: Manifest, l: Leg, number: number): Terms {
  return {
    total: l.total,
    eligible: number === 0 ? weightOf(m) : 0n,
    minimum: minimumOf(m),
    worthPaying: l.worthPaying,
  };
}

/** Computes a row again. */
function checkRow(b: Beside, r: Row, t: Terms): void {
  const { m, pays } = b;
  if (r.balance > 0n) {
    const weight = weigh(m, r);
    if (weight > t.eligible || t.eligible === 0n)
      throw new Fault(`a balance of ${weight} is more than all together, ${t.eligible}`);
    const share = (t.total * weight) / t.eligible;
    if (weight < t.minimum || r.share !== share)
      throw new Fault(`the share of ${weight} is ${share}, not ${r.share}, or it does not count`);
  }
  if (r.owner === m.wallet) throw new Fault("it is the distribution wallet's own");
  if (m.previous === '' && r.total !== r.received)
    throw new Fault(`${r.total} have arrived in all, and ${r.received} in this run, the first`);
  // Reserved now and not before, when a payment is undecided: then nothing was paid.
  let due = r.carried - r.reserved;
  const claim = m.kind === 'claim';
  if (claim) {
    due = 0n; // those who are not paid keep the reason of the run before
    if (!isClaimFee(r))
      throw new Fault(`a claim of ${r.paid + r.charged} keeps ${r.charged} for its transactions`);
  } else if (r.balance === 0n && r.owed === 0n) {
    throw new Fault('there is neither a balance nor anything owed');
  }
  if (!claim && !isAccountFee(r) && !isLateClaim(b, r))
    throw new Fault(
      `${r.charged} of ${r.paid + r.charged} are charged for an account, and at most a tenth can be`,
    );
  if (r.reason === 'below_cost' && due >= t.worthPaying && due > 0n)
    throw new Fault(`${due} are carried as not worth paying, and from ${t.worthPaying} on they are`);
  if (r.reason === 'time_over' && !claim && due < t.worthPaying)
    throw new Fault(`${due} are carried for want of time, and are not worth paying`);
  if (r.paid > 0n && r.paid + r.charged > r.owed && r.paid + r.charged < t.worthPaying)
    throw new Fault(`${r.paid} were paid and are not worth it`);
  if (r.signature === '') return;
  if (!pays.has(r.signature))
    throw new Fault(`it was paid by ${r.signature}, which is not named as a payment`);
  pays.set(r.signature, true);
}

/**
 * Whether what a row is charged may be the rent of an account: only for a token one is made, and
 * from ten times its rent on. That is one unit where a unit is worth more.
 */
function isAccountFee({ asset, charged, paid }: Row): boolean {
  return charged === 0n || (asset !== SOL && (charged === 1n || charged <= (paid + charged) / 10n));
}

/**
 * Whether what a row is charged may be what a claim has kept whose payment was undecided. Without
 * the run before it is not known which payments are late.
 */
function isLateClaim({ m, previous, late }: Beside, r: Row): boolean {
  const unknown = previous === null && m.previous !== '';
  return (unknown || late.has(r.signature)) && isClaimFee(r);
}

/** What a claim may keep of a payment in SOL for its transactions, in lamports. */
const MAX_CLAIM_FEE = 30_000n;

/** Whether what a row is charged may be what a claim keeps. */
export const isClaimFee = (r: Row): boolean => r.charged <= (r.asset === SOL ? MAX_CLAIM_FEE : r.paid);

/** What was left to an owner who was left nothing. */
const NOTHING = { amount: 0n, reserved: 0n, total: 0n };

/** Holds what a row took over against what was left to its owner. */
function took(left: Omit<Owing, 'owner' | 'key'>, row: Row, late: ReadonlyMap<string, unknown>): void {
  if (left.amount !== row.owed)
    throw new Fault(`${row.owner} takes over ${row.owed}, and the run before left ${left.amount}`);
  if (late.has(row.signature) && row.paid + row.charged > left.reserved)
    throw new Fault(
      `${row.owner} was paid ${row.paid} by ${row.signature}, before this run, and the run before had ${left.reserved} reserved`,
    );
  if (row.paid > 0n && left.amount > 0n && row.reserved > left.reserved)
    throw new Fault(`${row.owner} was paid, and more is undecided than before`);
  if (row.total - row.received !== left.total)
    throw new Fault(
      `${row.owner} has received ${row.total} in all, of it ${row.received} now and ${left.total} before`,
    );
}

/**
 * Returns what was left to an owner, zero when nothing was, and throws when something was to one
 * who comes before: they have no row. Without an owner it passes all.
 */
async function passed(owed: Ordered<Owing>, row: Row | null): Promise<Omit<Owing, 'owner' | 'key'>> {
  for (;;) {
    const next = await owed.peek();
    const order = next && row ? compare(next.key, row.key) : -1;
    if (!next || order > 0) return NOTHING;
    owed.drop();
    if (order === 0) return next;
    if (next.amount > 0n) throw new Fault(`it left ${next.amount} to ${next.owner}, who has no row`);
  }
}
