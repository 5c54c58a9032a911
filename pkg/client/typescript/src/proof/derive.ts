/** What follows from addresses and times: run ids, and accounts of wallets. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base58 } from '@scure/base';
import { address, bytesOf, hex, join, unhex } from './bytes.js';
import { Fault } from './fault.js';

/** The Associated Token Account program. */
export const ATA_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';

/** The namespace of run ids. */
const RUNS = unhex('5d2b8a4e9f0c4c1e8a530c8e3b7f61d4', 16) as Uint8Array;

/** Writes 16 bytes as a UUID. */
function uuid(bytes: Uint8Array): string {
  const text = hex(bytes);
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    '-',
  );
}

/** The id of a token's run in a slot: a UUID of version 5 (RFC 9562) of the two. */
export function runId(mint: string, seconds: bigint): string {
  const hash = sha1(join(RUNS, bytesOf(`${mint}/${seconds}`))).slice(0, 16);
  hash[6] = ((hash[6] as number) & 0x0f) | 0x50;
  hash[8] = ((hash[8] as number) & 0x3f) | 0x80;
  return uuid(hash);
}

/** The address of an account of a base, a seed and an owner. */
export const withSeed = (base: Uint8Array, seed: string, owner: Uint8Array): Uint8Array =>
  sha256(join(base, bytesOf(seed), owner));

/** The same as text. */
export const addressWithSeed = (base: string, seed: string, owner: string): string =>
  base58.encode(withSeed(address(base), seed, address(owner)));

/** Whether 32 bytes are a point of the curve; addresses of programs' accounts are none. */
export function onCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes, true);
    return true;
  } catch {
    return false;
  }
}

const MARK = bytesOf('ProgramDerivedAddress');

/** The address that a program has for seeds. */
export function derived(program: string, ...seeds: readonly Uint8Array[]): string {
  const [start, end] = [join(...seeds), address(program)];
  for (let bump = 255; bump > 0; bump--) {
    const found = sha256(join(start, Uint8Array.of(bump), end, MARK));
    if (!onCurve(found)) return base58.encode(found);
  }
  throw new Fault(`${program} has no address for these seeds`);
}

/** The associated token account of a wallet for a mint. */
export const associated = (wallet: string, mint: string, program: string): string =>
  derived(ATA_PROGRAM, address(wallet), address(program), address(mint));
