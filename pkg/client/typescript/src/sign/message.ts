import { base58 } from '@scure/base';

/** One instruction of a transaction. */
export interface Instruction {
  /** Address of the program. */
  readonly program: string;
  /** Addresses of its accounts, in their order. */
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
}

/** A legacy transaction of Solana, read. */
export interface Transaction {
  /** The signatures, as long as there are signers; zeros where one is missing. */
  readonly signatures: readonly Uint8Array[];
  /** Who signs. The first one pays. */
  readonly signers: readonly string[];
  /** All accounts, the signers first. */
  readonly keys: readonly string[];
  /** Those of them that may be written. */
  readonly writable: ReadonlySet<string>;
  readonly blockhash: string;
  readonly instructions: readonly Instruction[];
  /** What is signed. */
  readonly message: Uint8Array;
}

/** Reads a legacy transaction. Throws when it is anything else, or not all of the bytes. */
export function parse(bytes: Uint8Array): Transaction {
  let at = 0;
  const take = (count: number): Uint8Array => {
    if (at + count > bytes.length) throw new Error('The transaction is cut off.');
    at += count;
    return bytes.subarray(at - count, at);
  };
  const byte = (): number => take(1)[0] as number;
  // A length of up to 16 bits, seven to a byte, the low ones first.
  const length = (): number => {
    let value = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const part = byte();
      value |= (part & 0x7f) << shift;
      if (part < 0x80) return value;
    }
    throw new Error('The transaction has a length that cannot be.');
  };

  const signatures = Array.from({ length: length() }, () => take(64));
  const start = at;
  const required = byte();
  if (required & 0x80) throw new Error('The transaction is not a legacy one.');
  const [readonlySigners, readonlyOthers] = [byte(), byte()];
  const keys = Array.from({ length: length() }, () => base58.encode(take(32)));
  const blockhash = base58.encode(take(32));
  const key = (index: number): string => {
    const found = keys[index];
    if (found === undefined) throw new Error('The transaction names an account that it does not have.');
    return found;
  };
  const instructions = Array.from({ length: length() }, () => {
    const program = key(byte());
    const accounts = Array.from(take(length()), key);
    return { program, accounts, data: take(length()) };
  });
  if (at !== bytes.length) throw new Error('The transaction has bytes after its end.');
  if (required === 0 || required !== signatures.length || required > keys.length)
    throw new Error('The transaction has not as many signatures as signers.');
  const writes = (_: string, i: number) =>
    i < required ? i < required - readonlySigners : i < keys.length - readonlyOthers;
  return {
    signatures,
    signers: keys.slice(0, required),
    keys,
    writable: new Set(keys.filter(writes)),
    blockhash,
    instructions,
    message: bytes.subarray(start),
  };
}

/** Whether a signature is there. */
export const signed = (signature: Uint8Array | undefined): boolean =>
  signature?.some((b) => b !== 0) ?? false;
