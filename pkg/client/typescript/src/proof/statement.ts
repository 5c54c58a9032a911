/** Statements: opening plus what came in equals what went out plus closing. */
import { Fault } from './fault.js';
import type { Entry, Statement } from './manifest.js';

const INCOMING = [
  'collected',
  'deposits',
  'proceeds',
  'fuel',
  'returned',
  'receiptsReturned',
  'adjustment',
] as const;
const OUTGOING = [
  'burned',
  'sold',
  'fuelSold',
  'creator',
  'holders',
  'taxOnSending',
  'fees',
  'rent',
  'receiptsLent',
  'undecided',
  'adjustment',
] as const;
const HOLDING = ['owed', 'reserved', 'carried', 'float'] as const;

/** The reason of an adjustment: plain text that JSON writes in one way only. */
const REASON = /^[ !#-%'-;=?-[\]-~]{1,300}$/;

/** What a part of a statement is. */
export type Name = (typeof INCOMING)[number] | (typeof OUTGOING)[number] | (typeof HOLDING)[number];

/** Adds amounts up, with as many bits as it takes. */
export const total = (first: bigint, entries: readonly Entry[]): bigint =>
  entries.reduce((sum, e) => sum + e.amount, first);

/** Throws unless the statement balances to the unit, its names in their order, each once at most. */
export function checkStatement(s: Statement): void {
  for (const [entries, names] of [
    [s.in, INCOMING],
    [s.out, OUTGOING],
    [s.heldFor, HOLDING],
  ] as readonly [readonly Entry[], readonly string[]][]) {
    let at = -1;
    for (const e of entries) {
      const i = names.indexOf(e.name);
      if (i <= at) throw new Fault(`the statement of ${s.asset} has ${e.name.slice(0, 20)} out of place`);
      at = i;
      if (e.name === 'adjustment' ? !REASON.test(e.reason) : e.reason !== '')
        throw new Fault(
          `the statement of ${s.asset} has an adjustment without a reason, or a reason without one`,
        );
    }
  }
  if (total(s.opening, s.in) !== total(s.closing, s.out))
    throw new Fault(`the statement of ${s.asset} does not balance: ${written(s)}`);
  if (total(0n, s.heldFor) !== s.closing)
    throw new Fault(`the closing of ${s.asset} is not what it is held for: ${written(s)}`);
}

/** The amount with this name; zero when there is none. */
export const of = (s: Statement, name: Name): bigint =>
  [...s.in, ...s.out, ...s.heldFor].find((e) => e.name === name)?.amount ?? 0n;

/** For example "100 + collected 5 = burned 1 + 104 (owed 4 + float 100)". */
export function written(s: Statement): string {
  const list = (entries: readonly Entry[]) => entries.map((e) => `${e.name} ${e.amount}`).join(' + ');
  const also = (entries: readonly Entry[]) => (entries.length > 0 ? ' + ' : '');
  return `${s.opening}${also(s.in)}${list(s.in)} = ${list(s.out)}${also(s.out)}${s.closing} (${list(s.heldFor)})`;
}
