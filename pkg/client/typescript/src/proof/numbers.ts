/** Numbers of a node's answers, of up to 64 bits: none is rounded. */
import { Unreachable } from './fault.js';

/** A whole number of an answer. One that cannot be told exactly is not taken. */
export function whole(value: unknown): bigint {
  if (typeof value === 'string' && /^[0-9]{1,20}$/.test(value)) return BigInt(value);
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  throw new Unreachable('the node gave a number that cannot be read exactly');
}

/** Reads JSON in which whole numbers of 16 digits and more become texts: none is rounded. */
export function exact(json: string): unknown {
  return JSON.parse(
    json.replace(
      /("[^"\\]*(?:\\.[^"\\]*)*")|(?<![\d.eE+-])\d{16,}(?![\d.eE])/g,
      (found, text) => text ?? `"${found}"`,
    ),
  );
}

/** A little-endian number. */
export const littleEndian = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((n, byte) => (n << 8n) | BigInt(byte), 0n);
