/** What a transaction did, by the balances before and after that the node has of it. */
import { base58 } from '@scure/base';
import { Unreachable } from './fault.js';
import { SOL } from './line.js';
import { failure, type Node, whole } from './node.js';
import type { Instruction } from './receipt.js';

const TOKEN_PROGRAMS = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
];
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
/** Instructions of the token programs that burn; the amount follows the tag. */
const BURNS = [8, 15];

interface Told {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: string;
}

interface TokenBalance {
  readonly mint: string;
  readonly owner: string;
  readonly uiTokenAmount: { readonly amount: string };
}

interface Answer {
  readonly slot: unknown;
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
    readonly preTokenBalances?: readonly TokenBalance[];
    readonly postTokenBalances?: readonly TokenBalance[];
    readonly innerInstructions?: readonly { readonly instructions: readonly Told[] }[];
    readonly loadedAddresses?: { readonly writable: readonly string[]; readonly readonly: readonly string[] };
  } | null;
}

/** What a transaction did. */
export class Landing {
  readonly slot: bigint;
  /** Why it failed; empty when it succeeded. */
  readonly failed: string;
  /** The message's own in their order, and then those that they invoked. */
  readonly instructions: readonly Instruction[];
  private readonly accounts: readonly string[];

  constructor(private readonly answer: Answer & { readonly meta: NonNullable<Answer['meta']> }) {
    const { meta, transaction } = answer;
    this.slot = whole(answer.slot);
    this.failed = failure(meta.err);
    this.accounts = [
      ...transaction.message.accountKeys,
      ...(meta.loadedAddresses?.writable ?? []),
      ...(meta.loadedAddresses?.readonly ?? []),
    ];
    if (this.accounts.length !== meta.preBalances.length || this.accounts.length !== meta.postBalances.length)
      throw new Unreachable('the node gave a transaction whose balances are not those of its accounts');
    const account = (i: number): string => {
      const found = this.accounts[i];
      if (found === undefined)
        throw new Unreachable('the node gave an instruction whose accounts are not there');
      return found;
    };
    this.instructions = [
      ...transaction.message.instructions,
      ...(meta.innerInstructions ?? []).flatMap((i) => i.instructions),
    ].map((told) => ({
      program: account(told.programIdIndex),
      accounts: told.accounts.map(account),
      data: base58.decode(told.data),
    }));
  }

  /** By how much a holder's balance rose; below zero when it fell. Of tokens all accounts together. */
  change(owner: string, asset: string): bigint {
    const { meta } = this.answer;
    if (asset === SOL) {
      const i = this.accounts.indexOf(owner);
      return i < 0 ? 0n : whole(meta.postBalances[i]) - whole(meta.preBalances[i]);
    }
    const sum = (balances: readonly TokenBalance[] = []) =>
      balances
        .filter((b) => b.owner === owner && b.mint === asset)
        .reduce((all, b) => all + whole(b.uiTokenAmount.amount), 0n);
    return sum(meta.postTokenBalances) - sum(meta.preTokenBalances);
  }

  /** How much of a mint it burned. */
  burned(mint: string): bigint {
    let sum = 0n;
    for (const { program, accounts, data } of this.instructions) {
      if (!TOKEN_PROGRAMS.includes(program)) continue;
      if (data.length < 9 || !BURNS.includes(data[0] as number)) continue;
      if (accounts[1] === mint) sum += number(data.subarray(1, 9));
    }
    return sum;
  }

  /** What it cost. A local chain takes the priority fee and does not count it. */
  fee(): bigint {
    const counted = whole(this.answer.meta.fee);
    const asked = this.asked();
    return asked > counted ? asked : counted;
  }

  /** In version 1 instructions of the compute budget do nothing: believed, they would hide any sum as a fee. */
  private asked(): bigint {
    if (this.answer.version === 1) return 0n;
    const { header, instructions } = this.answer.transaction.message;
    let [units, price] = [0n, 0n];
    for (const { programIdIndex, data } of instructions) {
      if (this.accounts[programIdIndex] !== COMPUTE_BUDGET) continue;
      const bytes = base58.decode(data);
      if (bytes.length === 5 && bytes[0] === 2) units = number(bytes.subarray(1));
      if (bytes.length === 9 && bytes[0] === 3) price = number(bytes.subarray(1));
    }
    if (units > 1_400_000n) units = 1_400_000n;
    if (units === 0n || price === 0n) return 0n;
    return BigInt(header.numRequiredSignatures) * 5_000n + (units * price + 999_999n) / 1_000_000n;
  }
}

/** A little-endian number. */
const number = (bytes: Uint8Array): bigint => bytes.reduceRight((n, byte) => (n << 8n) | BigInt(byte), 0n);

/** Asks what a transaction did; null when the node knows none. */
export async function landing(node: Node, signature: string): Promise<Landing | null> {
  const answer = await node.call<Answer | null>('getTransaction', signature, {
    commitment: 'confirmed',
    encoding: 'json',
    maxSupportedTransactionVersion: 1,
  });
  return answer?.meta ? new Landing({ ...answer, meta: answer.meta }) : null;
}
