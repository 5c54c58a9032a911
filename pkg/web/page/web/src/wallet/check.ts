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
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const METEORA = 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG';

/** The kinds of transactions that the service makes, with the programs that each may call. */
const programs = {
  launch: [SYSTEM, BUDGET, ASSOCIATED, TOKEN_2022, MEMO],
  tax: [BUDGET, TOKEN_2022],
  promotion: [SYSTEM, BUDGET],
  pool: [SYSTEM, BUDGET, ASSOCIATED, TOKEN, ...RAYDIUM],
  curve: [SYSTEM, BUDGET, ASSOCIATED, TOKEN, METEORA],
  trade: [SYSTEM, BUDGET, ASSOCIATED, TOKEN, METEORA],
} as const;

export type Kind = keyof typeof programs;

/** Create an account, transfer, use up a one-time number: all that is asked of the system program. */
const SYSTEM_MAY: readonly number[] = [0, 2, 4];

/** Closes an account; its rent must come back. */
const CLOSE = 9;
/** Sets an authority; a launch gives up that of its own mint. */
const SET_AUTHORITY = 6;

/**
 * The first bytes of what the token programs may be asked for. Nothing is among them that moves or
 * burns tokens, or gives away the right to.
 */
const tokenMay: Readonly<Record<Kind, readonly (readonly number[])[]>> = {
  // Make a mint with a tax, a pointer to its metadata and these, mint, give up the right to mint and
  // the right to change the metadata.
  launch: [[26, 0], [39, 0], [20], [210], [7], [SET_AUTHORITY, 0, 0], [215]],
  tax: [[26, 5]],
  promotion: [],
  // Count what was moved in as wrapped SOL, and close the account again.
  pool: [[17], [CLOSE]],
  curve: [[17], [CLOSE]],
  trade: [[17], [CLOSE]],
};

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
    // Asks for the signature of the service, and of nobody else.
    if (program === MEMO && (data.length > 0 || instruction.accounts.includes(expected.payer)))
      return 'It asks the memo program for something that has no part in this.';
    if (program === TOKEN || program === TOKEN_2022) {
      const known = tokenMay[expected.kind].some((bytes) => bytes.every((byte, i) => data[i] === byte));
      if (!known) return 'It asks a token program for something that has no part in this.';
      if (data[0] === CLOSE && instruction.accounts[1] !== expected.payer)
        return 'It would send what is in an account of yours to somebody else.';
      // The mint of a launch is new, so it signs, too: nothing is done to a token that was there before.
      const [about] = instruction.accounts;
      if (expected.kind === 'launch' && !transaction.signers.slice(1).includes(about ?? ''))
        return 'It would do something to another token than the new one.';
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
