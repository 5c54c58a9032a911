/**
 * What happened to accounts, according to any node of the network. What a node says is not
 * trusted: a history is only as good as the unbroken chain of balances through it.
 */
import { u64 } from './allocation.js';
import { SOL, ZERO } from './line.js';

export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';

/** Whether a program is one of the two token programs. */
export const isTokenProgram = (program: string): boolean => program === TOKEN || program === TOKEN_2022;

/** An entry of a history. */
export interface Listed {
  readonly signature: string;
  readonly slot: bigint;
  /** The memos of the message in the node's own words; absent where it tells of none. */
  readonly memo?: string;
}

/** An account with its lamports before and after. */
export interface Account {
  readonly address: string;
  readonly before: bigint;
  readonly after: bigint;
}

/** A token account with its balance before and after; an owner is ZERO where it did not exist. */
export interface TokenAccount {
  readonly address: string;
  readonly mint: string;
  ownerBefore: string;
  ownerAfter: string;
  before: bigint;
  after: bigint;
}

/** An instruction of a transaction. */
export interface Instruction {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
  /** The place in the message of the instruction, or of the one that invoked it. */
  readonly top: number;
  /** A program invoked it. */
  readonly inner: boolean;
}

/** A balance before and after. */
export interface Change {
  readonly before: bigint;
  readonly after: bigint;
}

/** By how much a balance rose; zero when it did not. */
export const gain = (c: Change): bigint => (c.after > c.before ? c.after - c.before : 0n);
/** By how much a balance fell; zero when it did not. */
export const loss = (c: Change): bigint => (c.before > c.after ? c.before - c.after : 0n);

/** Nothing before and nothing after. */
export const STILL: Change = { before: 0n, after: 0n };

/** What landed: who signed, what was asked for, and what came of it. */
export class Transaction {
  readonly signature!: string;
  readonly slot!: bigint;
  /** Why it failed; empty when it succeeded. A failed one took its fee. */
  readonly failed!: string;
  /** In lamports. */
  readonly fee!: bigint;
  /** All that it names: the first pays the fee, and the first `signers` of them signed. */
  readonly accounts!: readonly Account[];
  readonly signers!: number;
  /** The token accounts whose balances it shows. */
  readonly tokens!: readonly TokenAccount[];
  /** Those of the message, each followed by those that it invoked. */
  readonly instructions!: readonly Instruction[];

  constructor(told: Pick<Transaction, Told>) {
    Object.assign(this, told);
  }

  /**
   * Whether it shows balances of tokens. Mainnet shows them only where a token program is among
   * the accounts, and without one no token moves.
   */
  get showsTokens(): boolean {
    return this.tokens.length > 0 || this.accounts.some((a) => isTokenProgram(a.address));
  }

  /** Who pays the fee. */
  get payer(): string {
    return this.accounts[0]?.address ?? ZERO;
  }

  signedBy(address: string): boolean {
    return this.accounts.slice(0, this.signers).some((a) => a.address === address);
  }

  /** The change of an account's lamports; undefined when the transaction does not name it. */
  lamports(address: string): Change | undefined {
    return this.accounts.find((a) => a.address === address);
  }

  /** Whose a token account is after the transaction; ZERO when it shows none of that address. */
  tokenOwner(address: string): string {
    return this.tokens.findLast((a) => a.address === address && a.ownerAfter !== ZERO)?.ownerAfter ?? ZERO;
  }

  /** What an account of the owner's had, after or before; zero when it was not there or another's. */
  tokensOf(address: string, owner: string, after: boolean): bigint {
    let amount = 0n;
    for (const a of this.tokens) {
      if (a.address !== address) continue;
      if (after && a.ownerAfter === owner) amount += a.after;
      if (!after && a.ownerBefore === owner) amount += a.before;
    }
    return u64(amount);
  }

  /** What changed for a holder: of SOL an account, of tokens an owner with all accounts together. */
  change(owner: string, asset: string): Change {
    if (asset === SOL) return this.lamports(owner) ?? STILL;
    let [before, after] = [0n, 0n];
    for (const a of this.tokens) {
      if (a.mint !== asset) continue;
      if (a.ownerBefore === owner) before += a.before;
      if (a.ownerAfter === owner) after += a.after;
    }
    return { before: u64(before), after: u64(after) };
  }
}

type Told = 'signature' | 'slot' | 'failed' | 'fee' | 'accounts' | 'signers' | 'tokens' | 'instructions';

/** The first and the newest slot that a node knows. */
export interface Remembered {
  readonly first: bigint;
  readonly newest: bigint;
}

/** Tells what landed. Unreachable when there is no answer. */
/** An account of which `required` of `members` sign. */
export interface Multisig {
  readonly required: number;
  readonly members: readonly string[];
}

export interface Teller {
  /**
   * Lists the finalized transactions that name an address, the newest first: at most 1,000 of
   * them, older than `before`, which is empty for the newest.
   */
  page(address: string, before: string): Promise<readonly Listed[]>;
  /** What a transaction did; null when the node knows none. */
  landing(signature: string): Promise<Transaction | null>;
  /** An owner's token accounts of a mint, as they are now. */
  tokenAccountsOf(owner: string, mint: string): Promise<readonly string[]>;
  /** Who may withdraw the tax that is withheld of a mint; ZERO when none may. */
  withdrawer(mint: string): Promise<string>;
  /** The multisig account of Token-2022 at an address; null when it is none. */
  multisig?(address: string): Promise<Multisig | null>;
  /** The first and the newest slot that the node knows; null when it does not say. */
  remembers(): Promise<Remembered | null>;
  /** Is told how many transactions are going to be asked for. */
  expect?(transactions: number): void;
}
