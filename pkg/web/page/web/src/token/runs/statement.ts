import type { Schemas } from 'tokenlaunch/api';

type Statement = Schemas['Statement'];

/** A statement added up: both sums must be equal in both checks. */
export interface Sums {
  /** What was there and came in. */
  readonly had: bigint;
  /** What went out and is left. */
  readonly gone: bigint;
  /** What the rest is held for. */
  readonly held: bigint;
  readonly balances: boolean;
}

const add = (entries: Statement['in']): bigint => entries.reduce((sum, e) => sum + BigInt(e.amount), 0n);

/** Adds a statement up, here and not by the service. */
export function sums(s: Statement): Sums {
  const had = BigInt(s.opening) + add(s.in);
  const gone = add(s.out) + BigInt(s.closing);
  const held = add(s.heldFor);
  return { had, gone, held, balances: had === gone && held === BigInt(s.closing) };
}
