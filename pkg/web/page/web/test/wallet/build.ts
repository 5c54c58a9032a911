import { base58 } from '@scure/base';
import type { Instruction } from 'tokenlaunch/sign';

export const SYSTEM = '11111111111111111111111111111111';
export const BUDGET = 'ComputeBudget111111111111111111111111111111';
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

/** An address made of one byte. */
export const address = (byte: number): string => base58.encode(new Uint8Array(32).fill(byte));

const length = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...length(value >> 7)];

/** Writes a legacy transaction with these signers, none of whom has signed. */
export function build(signers: readonly string[], instructions: readonly Instruction[]): Uint8Array {
  const keys = [...new Set([...signers, ...instructions.flatMap((i) => [...i.accounts, i.program])])];
  const index = (key: string) => keys.indexOf(key);
  return new Uint8Array([
    ...length(signers.length),
    ...new Uint8Array(64 * signers.length),
    signers.length,
    0,
    0,
    ...length(keys.length),
    ...keys.flatMap((key) => [...base58.decode(key)]),
    ...base58.decode(address(9)),
    ...length(instructions.length),
    ...instructions.flatMap(({ program, accounts, data }) => [
      index(program),
      ...length(accounts.length),
      ...accounts.map(index),
      ...length(data.length),
      ...data,
    ]),
  ]);
}

/** An instruction of the system program: its number, then what follows it. */
export function system(tag: number, accounts: readonly string[], lamports = 0n): Instruction {
  const data = new Uint8Array(12);
  const view = new DataView(data.buffer);
  view.setUint32(0, tag, true);
  view.setBigUint64(4, lamports, true);
  return { program: SYSTEM, accounts, data };
}

/** A transfer of SOL. */
export const transfer = (from: string, to: string, lamports: bigint): Instruction =>
  system(2, [from, to], lamports);
