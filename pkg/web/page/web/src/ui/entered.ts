import { baseUnits, decimal, PLAIN, SOL_DECIMALS } from './amount';

/** A kind of number that a field accepts. */
export interface Kind {
  /** The word or sign after the number, such as SOL or %. */
  readonly unit: string;
  /**
   * The decimals of the asset, for an amount. Undefined for a plain number, such as a percentage:
   * grouped thousands make no sense there, so a comma is the decimal comma.
   */
  readonly decimals?: number;
}

/** Amounts of SOL. */
export const SOL = { unit: 'SOL', decimals: SOL_DECIMALS } satisfies Kind;
/** Percentages. */
export const PERCENT: Kind = { unit: '%' };

/** The maximum of an amount on the chain, which has 64 bits. */
const MOST = 2n ** 64n - 1n;

const GROUPED = /^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/;
const NUMBER = /^\d{1,9}([.,]\d{1,9})?$/;

/** Groups of three digits with another separator than a comma: 1 000, 1'000, 1.000.000 or 1.000,5. */
const OTHERWISE_GROUPED = /^([1-9]\d{0,2}(?:([\s.'’_])\d{3})(?:\2\d{3})*)(?:[.,](\d+))?$/;

/** Returns the amount that was probably meant, in an accepted form; null if there is no guess. */
function guess(text: string): string | null {
  // The last four bits of an Arabic, Persian or full-width digit are its value.
  const latin = text
    .replace(/[٠-٩۰-۹０-９]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll('٬', ',')
    .replace('٫', '.');
  if (PLAIN.test(latin) || GROUPED.test(latin)) return latin;
  const [, whole, fraction] = /^(\d*)[.,](\d*)$/.exec(latin) ?? [];
  if (whole || fraction) return fraction ? `${whole || '0'}.${fraction}` : (whole ?? null);
  const grouped = OTHERWISE_GROUPED.exec(latin);
  if (grouped) {
    const thousands = decimal((grouped[1] ?? '').replace(/\D/g, ''), 0);
    return grouped[3] ? `${thousands}.${grouped[3]}` : thousands;
  }
  const [, digits, zeros] = /^(\d{1,20})e(\d{1,2})$/i.exec(latin) ?? [];
  return digits ? decimal(digits + '0'.repeat(Number(zeros)), 0) : null;
}

/** Returns the error of an unreadable entry: a guess of the meaning, and the expected format. */
function unreadable(meant: string | null, sentence: string): Error {
  return new Error(meant === null ? sentence : `Did you mean ${meant}? ${sentence}`);
}

/**
 * Parses an amount as base units, at least `least`. Throws a sentence for people. A comma only
 * separates thousands: 0,5 is rejected, because 5 would be ten times the money.
 */
export function units(text: string, decimals: number, least = 0n): string {
  const given = text.trim();
  const plain = GROUPED.test(given) ? given.replaceAll(',', '') : given;
  const value = baseUnits(plain, decimals);
  if (!PLAIN.test(plain)) throw unreadable(guess(given), 'Enter an amount, such as 1,000,000 or 0.5.');
  if (value === null) throw new Error(`Use at most ${decimals} decimals.`);
  if (value < least) throw new Error('Enter more than 0.');
  if (value > MOST)
    throw new Error(`Too large. With ${decimals} decimals, the maximum is ${decimal(MOST, decimals, 0)}.`);
  return value.toString();
}

/** Parses a number such as a percentage, with a decimal point or comma. Throws a sentence for people. */
export function number(text: string): number {
  const given = text.trim();
  // Here, a guess with a comma would have another meaning.
  if (!NUMBER.test(given))
    throw unreadable(guess(given)?.replaceAll(',', '') ?? null, 'Enter a number, such as 5 or 2.5.');
  return Number(given.replace(',', '.'));
}

/** Languages disagree on the only separator of these numbers: a thousand in one language is one in another language. */
const NOTES: readonly (readonly [form: RegExp, note: string])[] = [
  [/^[1-9]\d{0,2},\d{3}$/, '. The comma separates thousands'],
  [/^[1-9]\d{0,2}\.\d{3}$/, '. The point separates decimals'],
];

/**
 * Returns the interpretation of an entry, to be shown below the field; '' for an unreadable entry.
 * A number without a comma is not repeated, except an amount.
 */
export function understood(text: string, { unit, decimals }: Kind): string {
  const given = text.trim();
  try {
    if (decimals === undefined) {
      const value = number(given);
      return given.includes(',') ? `= ${value}${unit === '%' ? '' : ' '}${unit}` : '';
    }
    const note = NOTES.find(([form]) => form.test(given))?.[1];
    return `= ${decimal(units(given, decimals), decimals)} ${unit}${note ? `${note}.` : ''}`;
  } catch {
    return '';
  }
}
