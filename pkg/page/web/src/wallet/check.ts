import { sol } from '../ui/amount';
import type { Instruction, Transaction } from './message';

const SYSTEM = '11111111111111111111111111111111';
const BUDGET = 'ComputeBudget111111111111111111111111111111';
const ASSOCIATED = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const RAYDIUM = [
  'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C',
  'DRaycpLY18LhpbydsBWbVJtxpNv9oXPgjRSfpF2bWpYb',
];
const METEORA = 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG';

/** The kinds of transactions that the service makes, with the programs that each may call. */
const programs = {
  launch: [SYSTEM, BUDGET, ASSOCIATED, TOKEN_2022],
  tax: [BUDGET, TOKEN_2022],
  promotion: [SYSTEM, BUDGET],
  pool: [SYSTEM, BUDGET, ASSOCIATED, TOKEN, ...RAYDIUM],
  curve: [SYSTEM, BUDGET, ASSOCIATED, TOKEN, METEORA],
  trade: [SYSTEM, BUDGET, ASSOCIATED, TOKEN, METEORA],
} as const;

export type Kind = keyof typeof programs;

/** Create an account, transfer, use up a one-time number: all that is asked of the system program. */
const SYSTEM_MAY: readonly number[] = [0, 2, 4];

/** Transfer and approve, plain and checked: nothing that takes tokens, or the right to them. */
const TOKEN_MAY_NOT: readonly number[] = [3, 4, 12, 13];

/** Sets an authority. A launch gives up that of its own mint; nothing else has a use for it. */
const SET_AUTHORITY = 6;

/** Closes an account; its rent must come back. */
const CLOSE = 9;

/** Token-2022 keeps the transfer with a fee behind two numbers. */
const FEE_EXTENSION = 26;
const FEE_TRANSFER = 1;

/**
 * Looks at a transaction before a wallet is asked to sign it, so that the page does not have to
 * believe the service: who pays, which programs it calls, and that no more SOL leaves by its plain
 * transfers than was said. Gives what is wrong in a sentence, or null.
 */
export function objection(
  transaction: Transaction,
  expected: { readonly kind: Kind; readonly payer: string; readonly lamports: bigint },
): string | null {
  if (transaction.signers[0] !== expected.payer) return 'It would be paid for by another wallet than yours.';
  const may: readonly string[] = programs[expected.kind];
  let leaving = 0n;
  for (const instruction of transaction.instructions) {
    const { program, data } = instruction;
    if (!may.includes(program)) return `It calls ${program}, a program that has no part in this.`;
    if (program === SYSTEM) {
      const amount = systemLamports(instruction, expected.payer);
      if (amount === null) return 'It asks the system program for something that has no part in this.';
      leaving += amount;
    }
    if (program === TOKEN || program === TOKEN_2022) {
      const tag = data[0] ?? -1;
      if (
        TOKEN_MAY_NOT.includes(tag) ||
        (tag === FEE_EXTENSION && data[1] === FEE_TRANSFER) ||
        (tag === SET_AUTHORITY && expected.kind !== 'launch')
      )
        return 'It would take tokens out of your wallet, or give away the right to.';
      if (tag === CLOSE && instruction.accounts[1] !== expected.payer)
        return 'It would send what is in an account of yours to somebody else.';
    }
  }
  if (leaving > expected.lamports)
    return `It would move ${sol(leaving)} of yours, and ${sol(expected.lamports)} was said.`;
  return null;
}

/** The lamports that an instruction of the system program takes of the payer; null for one that may not be. */
function systemLamports({ accounts, data }: Instruction, payer: string): bigint | null {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (data.length < 4) return null;
  const tag = view.getUint32(0, true);
  if (!SYSTEM_MAY.includes(tag)) return null;
  if (tag === 4) return 0n;
  if (data.length < 12) return null;
  return accounts[0] === payer ? view.getBigUint64(4, true) : 0n;
}
