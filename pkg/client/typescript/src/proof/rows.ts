/** All rows, computed again from the balances. */
import { compare } from './bytes.js';
import { Fault, within } from './fault.js';
import type { Source } from './files.js';
import { LEFT_OUT_HEADER, parseAsset, parseLeftOut, parseRow, ROW_HEADER, type Row } from './line.js';
import type { Leg, Manifest, Sums } from './manifest.js';
import { Ordered, Outsiders } from './ordered.js';
import { walk } from './table.js';

/** What an owner is owed from before. */
interface Owing {
  readonly owner: string;
  readonly key: Uint8Array;
  readonly amount: bigint;
  readonly reserved: bigint;
}

/** Reads what a run leaves owed in an asset: what the next run begins with. */
async function* owing(m: Manifest, source: Source, asset: string): AsyncGenerator<Owing> {
  let first = 0n;
  for (const leg of m.legs) {
    if (leg.asset !== asset) {
      first += leg.rows;
      continue;
    }
    let left = leg.rows;
    if (left === 0n) return;
    for await (const row of walk(source, m.rows, ROW_HEADER, first, parseRow)) {
      if (row.asset !== asset) throw new Fault(`a row of ${row.asset} among those of ${asset}`);
      if (row.carried > 0n)
        yield { owner: row.owner, key: row.key, amount: row.carried, reserved: row.reserved };
      if (--left === 0n) return;
    }
    throw new Fault(`${left} rows of ${asset} are missing`);
  }
}

async function before<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    throw within('the run before', cause);
  }
}

type Column = 'balance' | 'share' | 'owed' | 'paid' | 'received' | 'charged' | 'carried' | 'reserved';
const COLUMNS: readonly Column[] = [
  'balance',
  'share',
  'owed',
  'paid',
  'received',
  'charged',
  'carried',
  'reserved',
];

/** What the check of the rows needs beside them. */
export interface Beside {
  readonly source: Source;
  readonly m: Manifest;
  /** The manifest of the run before; null when it is not there to be read. */
  readonly previous: Manifest | null;
  /** The signatures of the payments, and whether a row has each. */
  readonly pays: Map<string, boolean>;
  /** Told now and then how many rows were read. */
  readonly progress: (rows: number) => void;
}

/** How often progress is told, in rows. */
const OFTEN = 256;

/** Computes all rows again, and holds them against who is left out, what was paid and what was owed. */
export async function checkRows(b: Beside): Promise<void> {
  let count = 0;
  const rows = walk(b.source, b.m.rows, ROW_HEADER, 0n, (line) => parseRow(line, b.pays));
  const next = async (): Promise<Row | null> => {
    const got = await rows.next();
    if (++count % OFTEN === 0) b.progress(count);
    return got.done ? null : got.value;
  };
  for (const [i, leg] of b.m.legs.entries()) {
    try {
      await checkLeg(b, i, leg, next);
    } catch (cause) {
      throw within(leg.asset, cause);
    }
  }
  const more = await next();
  if (more) throw new Fault(`after the last leg there is a row of ${more.owner}`);
  for (const [signature, used] of b.pays) {
    if (!used) throw new Fault(`the payment ${signature} pays no row`);
  }
}

async function checkLeg(b: Beside, number: number, l: Leg, next: () => Promise<Row | null>): Promise<void> {
  const asset = parseAsset(l.asset);
  const terms = termsOf(b.m, l, number);
  const outside =
    number === 0 ? new Outsiders(walk(b.source, b.m.leftOut, LEFT_OUT_HEADER, 0n, parseLeftOut)) : null;
  const owed = b.previous ? new Ordered(owing(b.previous, b.source, asset)) : null;
  const sums = Object.fromEntries(COLUMNS.map((c) => [c, 0n])) as Record<Column, bigint>;
  let [sharing, paidTo, carriedTo] = [0n, 0n, 0n];
  let last: Row | null = null;
  for (let n = 0n; n < l.rows; n++) {
    const row: Row | null = await next();
    if (!row) throw new Fault(`row ${n} is missing`);
    if (row.asset !== asset || (last && compare(last.key, row.key) >= 0))
      throw new Fault(`row ${n}, of ${row.owner} in ${row.asset}, is out of order`);
    last = row;
    try {
      checkRow(row, terms, b.pays);
    } catch (cause) {
      throw within(`the row of ${row.owner}`, cause);
    }
    if (row.balance > 0n) sharing++;
    await outside?.disjoint(row);
    if (owed && row.owed > 0n) took(await before(owed.take()), row);
    for (const c of COLUMNS) sums[c] += row[c];
    if (row.paid > 0n) paidTo++;
    if (row.carried > 0n) carriedTo++;
  }
  const got: Sums = { ...sums, paidTo, carriedTo };
  for (const [column, sum] of Object.entries(got) as [keyof Sums, bigint][]) {
    if (sum !== l.sums[column])
      throw new Fault(`the column ${column} adds up to ${sum}, not to ${l.sums[column]}`);
  }
  const forgotten = owed && (await before(owed.take()));
  if (forgotten)
    throw new Fault(`the run before left ${forgotten.amount} to ${forgotten.owner}, who has no row`);
  if (!outside) return;
  if (sharing !== b.m.snapshot.eligible.owners)
    throw new Fault(`${sharing} owners share, not ${b.m.snapshot.eligible.owners}`);
  await outside.end(b.m);
}

interface Terms {
  readonly total: bigint;
  readonly eligible: bigint;
  readonly minimum: bigint;
  readonly worthPaying: bigint;
}

function termsOf(m: Manifest, l: Leg, number: number): Terms {
  const { minimumHolding } = m.settings;
  return {
    total: l.total,
    eligible: number === 0 ? m.snapshot.eligible.balance : 0n,
    minimum: minimumHolding > 1n ? minimumHolding : 1n,
    worthPaying: l.worthPaying,
  };
}

/** Computes a row again. */
function checkRow(r: Row, t: Terms, pays: Map<string, boolean>): void {
  if (r.balance > 0n) {
    if (r.balance > t.eligible)
      throw new Fault(`a balance of ${r.balance} is more than all together, ${t.eligible}`);
    const share = (t.total * r.balance) / t.eligible;
    if (r.balance < t.minimum || r.share !== share)
      throw new Fault(`the share of ${r.balance} is ${share}, not ${r.share}, or it does not count`);
  }
  // Reserved now and not before, when a payment is undecided: then nothing was paid.
  const due = r.carried - r.reserved;
  if (r.reason === 'below_cost' && due >= t.worthPaying && due > 0n)
    throw new Fault(`${due} are carried as not worth paying, and from ${t.worthPaying} on they are`);
  if (r.reason === 'time_over' && due < t.worthPaying)
    throw new Fault(`${due} are carried for want of time, and are not worth paying`);
  if (r.paid > 0n && r.paid + r.charged > r.owed && r.paid + r.charged < t.worthPaying)
    throw new Fault(`${r.paid} were paid and are not worth it`);
  if (r.signature === '') return;
  if (!pays.has(r.signature))
    throw new Fault(`it was paid by ${r.signature}, which is not named as a payment`);
  pays.set(r.signature, true);
}

/** Holds what a row took over against what was left to its owner. */
function took(o: Owing | null, row: Row): void {
  if (o && row.paid > 0n && row.reserved > o.reserved)
    throw new Fault(`${row.owner} was paid, and more is undecided than before`);
  if (!o || o.owner !== row.owner || o.amount !== row.owed)
    throw new Fault(
      `${row.owner} takes over ${row.owed}, and the run before left ${o ? `${o.amount} to ${o.owner}` : 'nothing more'}`,
    );
}
