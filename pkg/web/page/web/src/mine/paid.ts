import { tab } from '../ui/storage';

/** A payment, stored until the promotion shows the payment. */
export interface Paid {
  /** The end of the placement before the payment; null without a placement. */
  readonly before: string | null;
  /** The time of the payment, in milliseconds since 1970. */
  readonly at: number;
}

/** The maximum wait for a payment, in milliseconds. A payment takes at most two minutes. */
const PATIENCE = 10 * 60_000;

const key = (mint: string) => `paid:${mint}`;

/** Returns the last payment of this tab for a token, even after a reload. */
export function lastPaid(mint: string): Paid | null {
  try {
    const { before, at } = JSON.parse(tab.get(key(mint)) ?? 'null') as Partial<Paid>;
    return typeof at === 'number' && (before === null || typeof before === 'string') ? { before, at } : null;
  } catch {
    return null;
  }
}

/** Stores a payment across a reload. */
export function keepPaid(mint: string, paid: Paid): void {
  tab.set(key(mint), JSON.stringify(paid));
}

/** Returns the state of a payment: waiting, arrived, or late. */
export function standing(
  paid: Paid,
  featuredUntil: string | null,
  now: number,
): 'waiting' | 'arrived' | 'late' {
  if (paid.before !== featuredUntil) return 'arrived';
  return now - paid.at < PATIENCE ? 'waiting' : 'late';
}
