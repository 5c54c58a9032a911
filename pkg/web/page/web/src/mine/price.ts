/** Lamports for a day of being featured. */
const DAY_PRICE = 300_000_000n;
const DAY = 86_400_000;

/** Most days that can be bought at once. */
export const MOST_DAYS = 30;

/** Reads a number of days; null when it is none that can be bought. */
export function days(text: string): number | null {
  if (!/^\d{1,2}$/.test(text.trim())) return null;
  const value = Number(text);
  return value >= 1 && value <= MOST_DAYS ? value : null;
}

/** What so many days cost, in lamports. */
export const priceOf = (count: number): bigint => BigInt(count) * DAY_PRICE;

/** Until when a token is featured with so many days more: they are added to what there is. */
export const until = (count: number, featuredUntil: string | null, now: number): Date =>
  new Date(Math.max(now, featuredUntil ? Date.parse(featuredUntil) : 0) + count * DAY);
