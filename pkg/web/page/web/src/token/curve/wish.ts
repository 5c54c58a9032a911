import { units } from '../../ui/entered';

/** A typed amount as base units, or its error. */
export type Wish = { readonly units: string } | { readonly wrong: string } | null;

/** Parses a typed amount. Null for an empty text. */
export function wish(text: string, decimals: number): Wish {
  if (text.trim() === '') return null;
  try {
    return { units: units(text, decimals, 1n) };
  } catch (cause) {
    return { wrong: (cause as Error).message };
  }
}
