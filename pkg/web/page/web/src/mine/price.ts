/** Lamports for a day of featured placement. */
const DAY_PRICE = 300_000_000n;
const DAY = 86_400_000;

/** Maximum number of days in a purchase. */
export const MAX_DAYS = 30;

/** Parses a number of days; null for a number that cannot be bought. */
export function days(text: string): number | null {
  if (!/^\d{1,2}$/.test(text.trim())) return null;
  const value = Number(text);
  return value >= 1 && value <= MAX_DAYS ? value : null;
}

/** Returns the price of a number of days, in lamports. */
export const priceOf = (count: number): bigint => BigInt(count) * DAY_PRICE;

/** Returns the end of featured placement after buying days, which are added to the present placement. */
export const until = (count: number, featuredUntil: string | null, now: number): Date =>
  new Date(Math.max(now, featuredUntil ? Date.parse(featuredUntil) : 0) + count * DAY);
