/** A payment that was made, until the promotion shows it. */
export interface Paid {
  /** Until when the token was featured before it; null: not at all. */
  readonly before: string | null;
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
}

/** How long a payment is waited for, in milliseconds: it takes two minutes at most. */
const PATIENCE = 10 * 60_000;

const key = (mint: string) => `paid:${mint}`;

/** The last payment of this tab for a token, also after a reload. */
export function lastPaid(mint: string): Paid | null {
  try {
    const { before, at } = JSON.parse(sessionStorage.getItem(key(mint)) ?? 'null') as Partial<Paid>;
    return typeof at === 'number' && (before === null || typeof before === 'string') ? { before, at } : null;
  } catch {
    return null;
  }
}

/** Keeps a payment over a reload. */
export function keepPaid(mint: string, paid: Paid): void {
  sessionStorage.setItem(key(mint), JSON.stringify(paid));
}

/** How a payment stands: it is waited for, it has arrived, or it is late. */
export function standing(
  paid: Paid,
  featuredUntil: string | null,
  now: number,
): 'waiting' | 'arrived' | 'late' {
  if (paid.before !== featuredUntil) return 'arrived';
  return now - paid.at < PATIENCE ? 'waiting' : 'late';
}
