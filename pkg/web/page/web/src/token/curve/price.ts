/*
 * The curve's arithmetic, exact. With T tokens at first and s of them sold, a curve that began at
 * the price P has the price P·T²/(T−s)² and has collected P·T·s/(T−s): the product of what
 * is left and of P·T plus what was collected stays the same.
 */

import { decimal } from '../../ui/amount';

/** Decimals of stored prices. The API's prices have 12 digits after leading zeros. */
export const PRICE_DECIMALS = 36;

/** Lamports in a SOL. */
const LAMPORTS = 1_000_000_000n;

/** A curve, in integers. */
export interface Line {
  /** The initial base units on the curve. */
  readonly tokens: bigint;
  readonly decimals: number;
  /** The first price, SOL per whole token, times 10^36. */
  readonly start: bigint;
}

/** Parses a decimal number as an integer with the given decimals. Further decimals are cut off. */
export function scaled(text: string, decimals: number): bigint {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) throw new Error(`Not a decimal number: ${text}`);
  return BigInt((match[1] ?? '') + (match[2] ?? '').slice(0, decimals).padEnd(decimals, '0'));
}

/** Returns the value of a supply in base units at a price in SOL per whole token, in lamports. */
export const capOf = (price: string, supply: string, decimals: number): bigint =>
  (scaled(price, PRICE_DECIMALS) * BigInt(supply) * LAMPORTS) / 10n ** BigInt(decimals + PRICE_DECIMALS);

/** Returns the price after selling an amount, times 10^36. */
export function priceAt(line: Line, sold: bigint): bigint {
  const left = line.tokens - sold;
  return (line.start * line.tokens * line.tokens) / (left * left);
}

/** Returns the divisor that converts tokens times price to SOL. */
const unit = (line: Line): bigint => 10n ** BigInt(line.decimals) * 10n ** BigInt(PRICE_DECIMALS);

/** Returns the lamports collected after selling an amount, without fees. */
export function raisedAt(line: Line, sold: bigint): bigint {
  return (line.start * line.tokens * sold * LAMPORTS) / ((line.tokens - sold) * unit(line));
}

/** Returns the sold amount after collecting lamports. */
export function soldAt(line: Line, lamports: bigint): bigint {
  const collected = lamports * unit(line);
  return (line.tokens * collected) / (line.start * line.tokens * LAMPORTS + collected);
}

/** Returns the base units for a SOL at a price, before fee and tax, rounded down. Null for a price of zero. */
export function perSol(price: string, decimals: number): bigint | null {
  const p = scaled(price, PRICE_DECIMALS);
  return p === 0n ? null : 10n ** BigInt(PRICE_DECIMALS + decimals) / p;
}

/**
 * Returns the number of tokens for a readable price without a long row of zeros: 1, a thousand, a
 * million or a billion.
 */
export function lot(price: string): { readonly zeros: number; readonly name: string } {
  const value = scaled(price, PRICE_DECIMALS);
  const least = 10n ** BigInt(PRICE_DECIMALS - 3);
  const lots = [
    [0, '1'],
    [3, '1,000'],
    [6, '1 million'],
    [9, '1 billion'],
  ] as const;
  const [zeros, name] = lots.find(([zeros]) => value * 10n ** BigInt(zeros) >= least) ?? lots[3];
  return { zeros, name };
}

/** Returns the price of a number of tokens, a power of ten, cut to some significant digits. */
export function lotPrice(price: string, zeros: number, count: number): string {
  const value = scaled(price, PRICE_DECIMALS) * 10n ** BigInt(zeros);
  return digits(decimal(value, PRICE_DECIMALS).replaceAll(',', ''), count);
}

/** Cuts a decimal number to significant digits: 0.0000000779727 is 0.00000007797. */
export function digits(text: string, count: number): string {
  const [whole = '0', rest = ''] = text.split('.');
  if (whole !== '0') {
    const places = Math.max(0, count - whole.length);
    const cut = rest.slice(0, places).replace(/0+$/, '');
    return cut ? `${whole}.${cut}` : whole;
  }
  const zeros = /^0*/.exec(rest)?.[0].length ?? 0;
  const cut = rest.slice(0, zeros + count).replace(/0+$/, '');
  return cut ? `0.${cut}` : '0';
}
