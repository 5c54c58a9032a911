import type { Schemas } from 'tokenlaunch/api';

type Statement = Schemas['Statement'];

/** The sums of a statement. `had` must equal `gone`, and `held` must equal the closing balance. */
export interface Sums {
  /** The opening balance and the receipts. */
  readonly had: bigint;
  /** The payments and the closing balance. */
  readonly gone: bigint;
  /** The sum of the amounts that are held for a purpose. */
  readonly held: bigint;
  readonly balances: boolean;
}

const add = (entries: Statement['in']): bigint => entries.reduce((sum, e) => sum + BigInt(e.amount), 0n);

/** Adds up a statement in the page, without trusting the service. */
export function sums(s: Statement): Sums {
  const had = BigInt(s.opening) + add(s.in);
  const gone = add(s.out) + BigInt(s.closing);
  const held = add(s.heldFor);
  return { had, gone, held, balances: had === gone && held === BigInt(s.closing) };
}
