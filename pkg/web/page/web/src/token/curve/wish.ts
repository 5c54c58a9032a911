import { baseUnits } from '../../ui/amount';

/** The most that fits where the chain keeps an amount. */
const MOST = 18_446_744_073_709_551_615n;

/** A number of whole tokens that somebody typed, as base units, or what is wrong with it. */
export type Wish = { readonly units: string } | { readonly wrong: string } | null;

/** Reads what somebody typed. Null for nothing. */
export function wish(text: string, decimals: number): Wish {
  if (text.trim() === '') return null;
  const units = baseUnits(text, decimals);
  if (units === null)
    return { wrong: `Type a number such as 1000 or 0.5, with at most ${decimals} decimals.` };
  if (units === 0n) return { wrong: 'Type more than nothing.' };
  if (units > MOST) return { wrong: 'That is more than there can be.' };
  return { units: units.toString() };
}
