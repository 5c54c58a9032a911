import { units } from '../../ui/entered';

/** A typed amount as base units, or what is wrong with it. */
export type Wish = { readonly units: string } | { readonly wrong: string } | null;

/** Reads what was typed. Null for nothing. */
export function wish(text: string, decimals: number): Wish {
  if (text.trim() === '') return null;
  try {
    return { units: units(text, decimals, 1n) };
  } catch (cause) {
    return { wrong: (cause as Error).message };
  }
}
