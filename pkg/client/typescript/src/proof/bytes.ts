/** Bytes as text and text as bytes: hex, base58, and the fixed sizes of the ledger. */
import { Fault } from './fault.js';

// A byte order mark is a part of the content like any other, and refused as such.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** Reads UTF-8. What is no UTF-8 becomes U+FFFD, which no reader here takes. */
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);

/** Writes UTF-8. */
export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** Whether both are the same bytes. */
export function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && compare(a, b) === 0;
}

/** Orders bytes as numbers from the left; negative when a comes first. */
export function compare(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Joins bytes. */
export function join(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const HEX = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'));

/** Writes lower-case hex. */
export function hex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** Reads lower-case hex of a number of bytes; null for anything else. */
export function unhex(text: string, length: number): Uint8Array | null {
  if (text.length !== 2 * length || !/^[0-9a-f]*$/.test(text)) return null;
  return Uint8Array.from({ length }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const DIGIT = new Int8Array(128).fill(-1);
for (let i = 0; i < ALPHABET.length; i++) DIGIT[ALPHABET.charCodeAt(i)] = i;
const POWER = [1, 58, 58 ** 2, 58 ** 3, 58 ** 4] as const;

/** Bits of a limb; with four digits of base58 at a time a product has under 2^53. */
const LIMB = 24;

/**
 * Reads base58 of exactly the given number of bytes; null for anything else. Four digits at a time are
 * multiplied into limbs of 24 bits: a proof has a hundred thousand addresses, and the general
 * algorithm takes many times as long. The text is the only one of these bytes.
 */
export function unbase58(text: string, length: number): Uint8Array | null {
  // Longer texts take quadratic time and cannot be right.
  if (text.length > Math.ceil(length * 1.3658) + 1) return null;
  let zeros = 0;
  while (zeros < text.length && text.charCodeAt(zeros) === 49) zeros++;
  const limbs = new Float64Array(Math.ceil((length * 8) / LIMB) + 1);
  for (let at = zeros; at < text.length; at += 4) {
    const end = Math.min(at + 4, text.length);
    let carry = 0;
    for (let i = at; i < end; i++) {
      const digit = DIGIT[text.charCodeAt(i)] ?? -1;
      if (digit < 0) return null;
      carry = carry * 58 + digit;
    }
    const factor = POWER[end - at] as number;
    for (let i = 0; i < limbs.length; i++) {
      const product = (limbs[i] as number) * factor + carry;
      carry = Math.floor(product / 2 ** LIMB);
      limbs[i] = product - carry * 2 ** LIMB;
    }
    if (carry > 0) return null;
  }
  const bytes = new Uint8Array(limbs.length * 3);
  for (let i = 0; i < limbs.length; i++) {
    const limb = limbs[i] as number;
    const end = bytes.length - 3 * i;
    bytes[end - 1] = limb & 255;
    bytes[end - 2] = (limb >> 8) & 255;
    bytes[end - 3] = (limb >> 16) & 255;
  }
  let first = 0;
  while (first < bytes.length && bytes[first] === 0) first++;
  if (zeros + bytes.length - first !== length) return null;
  return bytes.slice(bytes.length - length);
}

/** An address: 32 bytes in base58. */
export function address(text: string): Uint8Array {
  const bytes = text.length > 44 ? null : unbase58(text, 32);
  if (!bytes) throw new Fault(`${quoted(text)} is not an address`);
  return bytes;
}

/** Whether the text is an address. */
export const isAddress = (text: string): boolean => text.length <= 44 && unbase58(text, 32) !== null;

/** A signature: 64 bytes in base58, not all zero; or nothing. */
export function signature(text: string): string {
  if (text === '') return text;
  const bytes = text.length > 88 ? null : unbase58(text, 64);
  if (!bytes?.some((byte) => byte !== 0)) throw new Fault(`${quoted(text)} is not a signature`);
  return text;
}

const MOST = 2n ** 64n - 1n;

/** An amount: a decimal number of 64 bits without sign or leading zeros. */
export function amount(text: string): bigint {
  if (text.length > 20 || !/^(0|[1-9][0-9]*)$/.test(text))
    throw new Fault(`${quoted(text)} is not an amount`);
  const value = BigInt(text);
  if (value > MOST) throw new Fault(`${quoted(text)} is not an amount`);
  return value;
}

/** Text of a stranger, cut and in quotes. */
export const quoted = (text: string): string => JSON.stringify(text.length > 70 ? text.slice(0, 70) : text);
