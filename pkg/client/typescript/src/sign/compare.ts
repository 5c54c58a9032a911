/** Reads a transaction that the service made, and compares it with one that is composed here. */
import { base64 } from '@scure/base';
import { same } from '../proof/bytes.js';
import { MAX_PRIORITY_FEE } from './change.js';
import {
  advanceNonce,
  BUDGET,
  MEMO,
  number,
  type Step,
  SYSTEM,
  signedBy,
  unitLimit,
  unitPrice,
} from './instructions.js';
import { type Instruction, parse, signed, type Transaction } from './message.js';

/** The transaction is not what was asked for. It is not to be signed. */
export class TransactionMismatchError extends Error {
  constructor(why: string) {
    super(`the transaction is not what was asked for: ${why}`);
  }
}

/** The response of the service with every transaction. */
export interface Offer {
  /** The transaction, base64. */
  readonly transaction: string;
  readonly cost: { readonly totalLamports: string } & { readonly [part: string]: string };
  /** One sentence for each instruction. */
  readonly explanation: readonly string[];
}

const PER_SIGNATURE = 5_000n;

/** A transaction that was read. */
export interface Reading {
  readonly bytes: Uint8Array;
  readonly transaction: Transaction;
  /** What comes first: the compute budget, and in a launch its nonce or none. */
  readonly first: readonly Step[];
  readonly rest: readonly Instruction[];
}

/** A decimal number of 64 bits. */
export function amount(text: string | undefined): bigint {
  if (text === undefined || !/^(0|[1-9][0-9]{0,19})$/.test(text) || BigInt(text) >= 2n ** 64n)
    throw new TransactionMismatchError(`${JSON.stringify(text)?.slice(0, 40)} is not an amount`);
  return BigInt(text);
}

/**
 * Reads a transaction and checks what holds of all of them: it is a legacy one to the last byte, the
 * wallet pays its fee and has not signed it, its cost adds up, and its network fee is that of the cost.
 */
export function read(wallet: string, offer: Offer, launch: boolean): Reading {
  const { bytes, transaction } = taken(offer.transaction);
  const list = transaction.instructions;
  if (transaction.signers[0] !== wallet)
    throw new TransactionMismatchError(`its fee is paid by ${transaction.signers[0]}, not by ${wallet}`);
  if (signed(transaction.signatures[0]))
    throw new TransactionMismatchError("it has a signature in your wallet's place");
  if (list.length !== offer.explanation.length)
    throw new TransactionMismatchError(
      `it has ${list.length} instructions and ${offer.explanation.length} explanations`,
    );
  const { totalLamports, ...parts } = offer.cost;
  const sum = Object.values(parts).reduce((total, part) => total + amount(part), 0n);
  if (sum !== amount(totalLamports)) throw new TransactionMismatchError('its cost does not add up');
  const stands = launch ? [standsOn(wallet, list[0])] : [];
  const [limit, price, ...rest] = list.slice(stands.length);
  if (
    limit?.data.length !== 5 ||
    price?.data.length !== 9 ||
    limit.program !== BUDGET ||
    price.program !== BUDGET
  )
    throw new TransactionMismatchError('its fee cannot be read');
  const [units, each] = [number(limit.data.subarray(1)), number(price.data.subarray(1))];
  const budget = [unitLimit(units), unitPrice(each)];
  const wrong = differ([limit, price], budget).why;
  if (wrong) throw new TransactionMismatchError(wrong);
  const priority = (units * each + 999_999n) / 1_000_000n;
  const base = BigInt(transaction.signers.length) * PER_SIGNATURE;
  if (priority > MAX_PRIORITY_FEE)
    throw new TransactionMismatchError(`it offers the network a priority fee of ${priority} lamports`);
  if (amount(offer.cost.networkFeeLamports) !== base + priority)
    throw new TransactionMismatchError(
      `it offers the network ${base} and ${priority} lamports, and its cost says ${offer.cost.networkFeeLamports}`,
    );
  return { bytes, transaction, first: [...stands, ...budget], rest };
}

function taken(text: string): { bytes: Uint8Array; transaction: Transaction } {
  try {
    const bytes = base64.decode(text);
    return { bytes, transaction: parse(bytes) };
  } catch (cause) {
    throw new TransactionMismatchError((cause as Error).message);
  }
}

/** What a launch begins with: the use of a number that is not the wallet's, or the request for another signature. */
function standsOn(wallet: string, first: Instruction | undefined): Step {
  if (first && !first.accounts.includes(wallet)) {
    const [a, , authority] = first.accounts;
    if (first.program === MEMO && first.accounts.length === 1 && a) return signedBy(a);
    if (first.program === SYSTEM && first.accounts.length === 3 && a && authority)
      return advanceNonce(a, authority);
  }
  throw new TransactionMismatchError('it does not begin with a one-time number of the service, or its key');
}

/** Returns the transaction's bytes if the transaction is one of the ways. Throws otherwise, with the first difference from the closest way. */
export function isOneOf(wallet: string, reading: Reading, ways: readonly (readonly Step[])[]): Uint8Array {
  const { transaction, first } = reading;
  let furthest = { at: -1, why: 'it cannot be composed' };
  for (const way of ways) {
    const steps = [...first, ...way];
    const found = differ(transaction.instructions, steps);
    if (found.why === '') {
      const signers = new Set([wallet, ...steps.flatMap((s) => s.signers)]);
      const names = new Set([...signers, ...steps.flatMap((s) => [s.program, ...s.accounts])]);
      if (
        transaction.signers.length === signers.size &&
        transaction.signers.every((key) => signers.has(key)) &&
        transaction.keys.length === names.size
      )
        return reading.bytes;
      found.why = 'it names accounts, or has signers, that its instructions do not need';
    }
    if (found.at > furthest.at) furthest = found;
  }
  throw new TransactionMismatchError(furthest.why);
}

/** The first place at which instructions are others than wanted, and how; nothing when they are the same. */
function differ(have: readonly Instruction[], want: readonly Step[]): { at: number; why: string } {
  for (const [at, step] of want.entries()) {
    const found = have[at];
    if (!found) return { at, why: `an instruction is missing that ${step.does}` };
    const why = differs(found, step);
    if (why) return { at, why: `in place of the instruction that ${step.does}: ${why}` };
  }
  const extra = have[want.length];
  return {
    at: want.length,
    why: extra ? `it has one more instruction, of the program ${extra.program}` : '',
  };
}

function differs(have: Instruction, want: Step): string {
  if (have.program !== want.program) return `the program is ${have.program}, not ${want.program}`;
  if (have.data.length !== want.data.length)
    return `it has ${have.data.length} bytes of data, not ${want.data.length}`;
  if (have.accounts.length !== want.accounts.length)
    return `it has ${have.accounts.length} accounts, not ${want.accounts.length}`;
  if (!same(have.data, want.data))
    return `its data are others from byte ${have.data.findIndex((byte, i) => byte !== want.data[i])} on`;
  const at = have.accounts.findIndex((key, i) => key !== want.accounts[i]);
  return at < 0 ? '' : `account ${at} is ${have.accounts[at]}, not ${want.accounts[at]}`;
}
