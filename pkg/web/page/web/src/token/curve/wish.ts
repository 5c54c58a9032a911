import { baseUnits } from '../../ui/amount';

/** The most that fits where the chain keeps an amount. */
const MOST = 18_446_744_073_709_551_615n;

/** A typed number of whole tokens, as base units, or what is wrong with it. */
export type Wish = { readonly units: string } | { readonly wrong: string } | null;

/** Reads what was typed. Null for nothing. */
export function wish(text: string, decimals: number): Wish {
  if (text.trim() === '') return null;
  const units = baseUnits(text, decimals);
  if (units === null)
    return { wrong: `Enter a number such as 1000 or 0.5, with at most ${decimals} decimals.` };
  if (units === 0n) return { wrong: 'Enter more than 0.' };
  if (units > MOST) return { wrong: 'That is more than can exist.' };
  return { units: units.toString() };
}
