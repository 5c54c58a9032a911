/** What a transaction did with the wallet's signature, instruction by instruction. */
import { u64 } from './allocation.js';
import { COMPUTE_BUDGET, type Instruction, isTokenProgram } from './chain.js';
import { ATA_PROGRAM } from './derive.js';
import { Fault, within } from './fault.js';
import { newAuthority } from './handover.js';
import { hasReceipt, MEMO_PROGRAM, onlyReceipts, type Purpose, ZERO } from './line.js';
import { type Receipts, readSystem, SYSTEM_KIND } from './receipt.js';
import { burns, KIND, kindOf, readMovement, withdraws } from './token.js';
import { TRUSTED_PROGRAMS } from './trust.js';

/** Programs of the network and of accounts, which are never on a list. */
const FIXED: readonly string[] = [ZERO, COMPUTE_BUDGET, ATA_PROGRAM, MEMO_PROGRAM];

const sells = (p: Purpose): boolean => p === 'exchange' || p === 'fuel';
/** Whether transactions of this purpose pay rows, or wallets of the creator's. */
export const pays = (p: Purpose): boolean => p === 'pay' || p === 'creator';

/** What a transaction did with the wallet's signature. */
export interface Effect extends Receipts {
  burned: bigint;
  /** A program of an exchange was called. */
  called: boolean;
  /** Tokens went straight to an account of another one. */
  sent: boolean;
  /** A program that sold tokens and that only a later list of trusted programs can have; or empty. */
  unlisted: string;
}

/** Whose signature is watched, and which accounts are theirs. */
export interface Watched {
  readonly wallet: string;
  readonly mint?: string;
  /** The wallet's account for the mint. */
  readonly tokens?: string;
  /** Its account for wrapped SOL. */
  readonly wrapped?: string;
  /** All token accounts of the wallet that are followed. */
  readonly own?: readonly string[];
  /** Whether rows name an owner, to whom a payment may go. */
  readonly payees?: (owner: string) => boolean;
  /** Whether that is one of lamports. */
  readonly inSol?: boolean;
  /** Whether the proof names a later list of trusted programs than this verifier's. */
  readonly newer?: boolean;
}

export class Custody {
  constructor(private readonly of: Watched) {}

  /** The same, with others to whom a payment may go, of lamports or of tokens. */
  paying(payees: (owner: string) => boolean, inSol: boolean): Custody {
    return new Custody({ ...this.of, payees, inSol });
  }

  /**
   * Reads every instruction that names the wallet, of a transaction that the wallet signed. Throws
   * when one does what the purpose has no need of: a signature that was handed over can do
   * anything. `ownerOf` says whose a token account is after the transaction.
   */
  effects(
    purpose: Purpose,
    list: readonly Instruction[],
    ownerOf: (account: string) => string = () => ZERO,
  ): Effect {
    const e: Effect = {
      made: '',
      lent: 0n,
      returned: 0n,
      burned: 0n,
      called: false,
      sent: false,
      unlisted: '',
    };
    const invokers = new Map<number, string>();
    for (const one of list) if (!one.inner) invokers.set(one.top, one.program);
    for (const [i, one] of list.entries()) {
      try {
        this.effect(e, purpose, one, invokers.get(one.top) ?? ZERO, ownerOf);
      } catch (cause) {
        throw within(`instruction ${i}`, cause);
      }
    }
    if (hasReceipt(purpose) && e.made === '') throw new Fault('its first instruction makes no receipt');
    return e;
  }

  /** `by` is the program of the message's instruction that this one is, or comes of. */
  private effect(
    e: Effect,
    purpose: Purpose,
    one: Instruction,
    by: string,
    ownerOf: (account: string) => string,
  ): void {
    const { program, accounts, inner } = one;
    const named = accounts.includes(this.of.wallet);
    if (program === ZERO) {
      const kind = readSystem(e, this.of.wallet, purpose, one);
      if (named) this.lamports(e, purpose, kind, one, by);
      return;
    }
    if (program === COMPUTE_BUDGET) return;
    if (onlyReceipts(purpose))
      throw new Fault(
        `it is of the program ${program}, and a transaction of this purpose only moves receipts`,
      );
    const note = program === MEMO_PROGRAM && !named && !inner; // for an account that takes transfers with one
    if (pays(purpose) && !note && program !== ATA_PROGRAM && !isTokenProgram(program))
      throw new Fault(`it is of the program ${program}, for which a payment has no need`);
    if (!named) return;
    if (program === MEMO_PROGRAM && purpose === 'anchor' && !inner) return;
    if (program === ATA_PROGRAM) this.makesAccount(purpose, one);
    else if (isTokenProgram(program)) this.moves(e, purpose, one, ownerOf);
    // What an exchange invokes, an aggregator other pools, is that exchange's affair: what it moves
    // of the wallet's is an instruction of its own.
    else if (sells(purpose) && this.exchanges(e, by)) e.called = true;
    else throw new Fault(`it hands the wallet's signature to the program ${program}`);
  }

  /**
   * Whether a program may get the wallet's signature to sell tokens. An unknown one may where the
   * proof names a later list, and is noted: all other rules apply as if it were on the list.
   */
  private exchanges(e: Effect, program: string): boolean {
    const listed = TRUSTED_PROGRAMS.includes(program);
    if (!this.of.newer || listed || FIXED.includes(program) || isTokenProgram(program)) return listed;
    e.unlisted = program;
    return true;
  }

  /** Looks at an instruction of the System program that names the wallet and is none of a receipt. */
  private lamports(
    e: Effect,
    purpose: Purpose,
    kind: number,
    { accounts, inner }: Instruction,
    by: string,
  ): void {
    const sends = kind === SYSTEM_KIND.transfer;
    if (!sends && kind !== SYSTEM_KIND.create && kind !== SYSTEM_KIND.createAllowPrefund) return;
    if (sends && accounts[0] !== this.of.wallet) return; // it comes in
    if (inner) {
      if (by === ATA_PROGRAM || (sells(purpose) && this.exchanges(e, by))) return;
      throw new Fault(`the program ${by} takes lamports of the wallet`);
    }
    const to = accounts[1];
    if (sends && pays(purpose) && this.of.inSol && to !== undefined && this.of.payees?.(to)) return;
    throw new Fault('it takes lamports of the wallet, for which a transaction of this purpose has no need');
  }

  /**
   * Looks at an instruction of the Associated Token Account program: Create, without data or 0,
   * and CreateIdempotent, 1, of payer, account, owner.
   */
  private makesAccount(purpose: Purpose, { accounts, data }: Instruction): void {
    if (accounts.length < 4 || data.length > 1 || (data[0] ?? 0) > 1)
      throw new Fault('it is of the Associated Token Account program, and makes no account');
    const [payer, , owner] = accounts as [string, string, string];
    if (owner === this.of.wallet || payer !== this.of.wallet) return;
    if (pays(purpose) && this.of.payees?.(owner)) return;
    throw new Fault(`it makes an account for ${owner} at the wallet's cost`);
  }

  /** Reads an instruction of a token program that names the wallet. */
  private moves(e: Effect, purpose: Purpose, one: Instruction, ownerOf: (account: string) => string): void {
    const { wallet, mint = ZERO, tokens = ZERO, wrapped = ZERO, own = [], payees } = this.of;
    const kind = kindOf(one.data);
    if (kind === KIND.initAccount || kind === KIND.initAccount2 || kind === KIND.initAccount3) return;
    if (kind === KIND.closeAccount) {
      const [account, to] = one.accounts;
      if (sells(purpose) && one.accounts.length > 2 && account === wrapped && to === wallet) return;
      throw new Fault(`it closes the account ${account}`);
    }
    if (kind === KIND.setAuthority && purpose === 'handover') {
      if (newAuthority(one, mint, wallet) !== null && !one.inner) return;
      throw new Fault('it hands over another authority than that over the tax');
    }
    const m = readMovement(one);
    if (!m)
      throw new Fault(
        `it is of the token programs' kind ${kind >> 8}.${kind & 255}, for which nothing here has a need`,
      );
    // Members that sign for the authority come after it.
    if (withdraws(kind) && one.accounts.slice(2).includes(wallet)) {
      if (purpose !== 'collect' || m.mint !== mint || m.to !== tokens)
        throw new Fault(`it withdraws tax of ${m.mint} to ${m.to}`);
    } else if (m.authority !== wallet && !pays(purpose)) {
      return; // the wallet's signature is not what moves them
    } else if (burns(kind)) {
      if (purpose !== 'burn' || m.mint !== mint || m.from !== tokens)
        throw new Fault(`it burns ${m.amount} of ${m.from}`);
      e.burned = u64(e.burned + m.amount);
    } else if (sells(purpose)) {
      if (m.from !== tokens && m.from !== wrapped) throw new Fault(`it sends ${m.amount} of ${m.from}`);
      e.sent ||= !one.inner;
    } else if (!pays(purpose) || !own.includes(m.from) || !payees?.(ownerOf(m.to)))
      throw new Fault(`it sends ${m.amount} of ${m.from} to ${m.to}`);
  }
}
