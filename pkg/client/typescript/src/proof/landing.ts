/** What a transaction did, from the node's JSON: of any version, accounts of lookup tables included. */
import { base58 } from '@scure/base';
import { u64 } from './allocation.js';
import { COMPUTE_BUDGET, type Instruction, type TokenAccount, Transaction } from './chain.js';
import { Unreachable } from './fault.js';
import { ZERO } from './line.js';
import { littleEndian, whole } from './numbers.js';

interface Told {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: string;
}

interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner?: string;
  readonly uiTokenAmount: { readonly amount: unknown };
}

/** The result of getTransaction, with the encoding json. */
export interface Answer {
  readonly slot: unknown;
  /** A number, or "legacy". */
  readonly version?: unknown;
  readonly transaction: {
    readonly message: {
      readonly header: { readonly numRequiredSignatures: number };
      readonly accountKeys: readonly string[];
      readonly instructions: readonly Told[];
    };
  };
  readonly meta: {
    readonly err: unknown;
    readonly fee: unknown;
    readonly preBalances: readonly unknown[];
    readonly postBalances: readonly unknown[];
    readonly preTokenBalances?: readonly TokenBalance[] | null;
    readonly postTokenBalances?: readonly TokenBalance[] | null;
    readonly innerInstructions?:
      | readonly { readonly index: number; readonly instructions: readonly Told[] }[]
      | null;
    readonly loadedAddresses?: { readonly writable: readonly string[]; readonly readonly: readonly string[] };
  } | null;
}

type Landed = Answer & { readonly meta: NonNullable<Answer['meta']> };

/** Reads what a node says of a transaction. Unreachable when it does not fit together. */
export function readLanding(signature: string, answer: Landed): Transaction {
  const { meta, transaction } = answer;
  const { header, accountKeys, instructions: message } = transaction.message;
  const keys = [
    ...accountKeys,
    ...(meta.loadedAddresses?.writable ?? []),
    ...(meta.loadedAddresses?.readonly ?? []),
  ];
  const signers = header.numRequiredSignatures;
  if (
    keys.length !== meta.preBalances.length ||
    keys.length !== meta.postBalances.length ||
    !Number.isInteger(signers) ||
    signers < 1 ||
    signers > accountKeys.length
  )
    throw new Unreachable('the node gave a transaction whose balances are not those of its accounts');
  const key = (i: number): string => {
    const found = keys[i];
    if (found === undefined)
      throw new Unreachable('the node gave a transaction that names an account it has not');
    return found;
  };
  const instructions: Instruction[] = [];
  for (const [top, one] of message.entries()) {
    const invoked = (meta.innerInstructions ?? [])
      .filter((i) => i.index === top)
      .flatMap((i) => i.instructions);
    for (const [n, told] of [one, ...invoked].entries())
      instructions.push({
        program: key(told.programIdIndex),
        accounts: told.accounts.map(key),
        data: base58.decode(told.data),
        top,
        inner: n > 0,
      });
  }
  const counted = whole(meta.fee);
  // The local chain takes the priority fee and does not count it.
  const asked = answer.version === 1 ? 0n : askedFee(signers, instructions);
  return new Transaction({
    signature,
    slot: whole(answer.slot),
    failed: meta.err === null || meta.err === undefined ? '' : JSON.stringify(meta.err),
    fee: asked > counted ? asked : counted,
    signers,
    accounts: keys.map((address, i) => ({
      address,
      before: whole(meta.preBalances[i]),
      after: whole(meta.postBalances[i]),
    })),
    tokens: tokenAccounts(key, meta.preTokenBalances ?? [], meta.postTokenBalances ?? []),
    instructions,
  });
}

/**
 * Joins the balances before and after. An account that was closed, and made again for another
 * mint, is there twice.
 */
function tokenAccounts(
  key: (i: number) => string,
  before: readonly TokenBalance[],
  after: readonly TokenBalance[],
): TokenAccount[] {
  const list: TokenAccount[] = [];
  const find = (b: TokenBalance): TokenAccount => {
    const [address, mint] = [key(b.accountIndex), b.mint];
    let found = list.find((t) => t.address === address && t.mint === mint);
    if (!found) {
      found = { address, mint, ownerBefore: ZERO, ownerAfter: ZERO, before: 0n, after: 0n };
      list.push(found);
    }
    return found;
  };
  for (const b of before)
    Object.assign(find(b), { ownerBefore: b.owner ?? ZERO, before: whole(b.uiTokenAmount.amount) });
  for (const b of after)
    Object.assign(find(b), { ownerAfter: b.owner ?? ZERO, after: whole(b.uiTokenAmount.amount) });
  return list;
}

const SIGNATURE_LAMPORTS = 5_000n;
const MICRO = 1_000_000n;
/** The most compute units that a transaction can ask for. */
const MAX_UNITS = 1_400_000n;
const [LIMIT, PRICE] = [2, 3];

/**
 * The fee that a transaction with a limit and a price of its own asks for, in lamports; zero for one
 * without. In version 1 such instructions do nothing (SIMD-0385): believed, they would hide any sum
 * as a fee.
 */
function askedFee(signers: number, instructions: readonly Instruction[]): bigint {
  let [units, price] = [0n, 0n];
  for (const { program, data, inner } of instructions) {
    if (program !== COMPUTE_BUDGET || inner) continue;
    if (data.length === 5 && data[0] === LIMIT) units = littleEndian(data.subarray(1));
    if (data.length === 9 && data[0] === PRICE) price = littleEndian(data.subarray(1));
  }
  if (units > MAX_UNITS) units = MAX_UNITS;
  if (units === 0n || price === 0n) return 0n;
  const priority = (units * price + MICRO - 1n) / MICRO;
  const most = 2n ** 64n - 1n;
  return u64(BigInt(signers) * SIGNATURE_LAMPORTS + (priority > most ? most : priority));
}
