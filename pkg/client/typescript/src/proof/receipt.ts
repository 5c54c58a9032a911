/** Receipts: the accounts that make a payment of the distribution wallet land once. */
import { u64 } from './allocation.js';
import { address, same } from './bytes.js';
import type { Instruction } from './chain.js';
import { withSeed } from './derive.js';
import { Fault } from './fault.js';
import { hasReceipt, onlyReceipts, type Purpose, ZERO } from './line.js';
import { littleEndian } from './numbers.js';

/**
 * The most that a receipt may hold when it is made, in lamports: the rent minimum of an account
 * of 0 bytes at the highest rate that the network has had, 128 bytes for 2 years at 3,480 lamports.
 */
const MAX_RECEIPT = 890_880n;

/** Kinds of instructions of the System program. */
export const SYSTEM_KIND = {
  create: 0,
  transfer: 2,
  createWithSeed: 3,
  transferWithSeed: 11,
  /** Creates an account at an address that has lamports already (SIMD-0312). */
  createAllowPrefund: 13,
} as const;
const MAX_SEED = 32;

/** What a transaction did with the wallet's receipts, in lamports. */
export interface Receipts {
  /** The receipt that it made; empty when it made none. */
  made: string;
  lent: bigint;
  returned: bigint;
}

/**
 * Reads an instruction of the System program, and returns its kind. Throws unless a payment makes one
 * receipt first, and one only; unless what has none makes none; when lamports of a receipt leave it
 * for anywhere but the wallet; and when an instruction names the wallet that no purpose needs,
 * such as one of a durable nonce.
 */
export function readSystem(r: Receipts, wallet: string, purpose: Purpose, one: Instruction): number {
  const f = new Fields(one);
  const kind = Number(f.number(4));
  switch (kind) {
    case SYSTEM_KIND.createWithSeed:
      readMade(r, wallet, purpose, one, f);
      return kind;
    case SYSTEM_KIND.transferWithSeed:
      readReturned(r, wallet, purpose, one, f);
      return kind;
    case SYSTEM_KIND.create:
    case SYSTEM_KIND.transfer:
    case SYSTEM_KIND.createAllowPrefund:
      if (onlyReceipts(purpose))
        throw new Fault('it moves lamports, and a transaction of this purpose only moves receipts');
      return kind;
  }
  if (one.accounts.includes(wallet))
    throw new Fault(`an instruction of the System program's kind ${kind} names the wallet`);
  return kind;
}

function readMade(r: Receipts, wallet: string, purpose: Purpose, one: Instruction, f: Fields): void {
  const [base, seed, lamports, space, owner] = [f.key(), f.text(), f.number(8), f.number(8), f.key()];
  const [payer, account] = f.end(2) as [string, string];
  if (!one.accounts.includes(wallet)) return;
  if (one.top > 0 || one.inner || !hasReceipt(purpose))
    throw new Fault(
      `it makes the account ${account}, and only a payment's first instruction makes one, its receipt`,
    );
  if (payer !== wallet || !same(base, address(wallet)))
    throw new Fault(`the receipt ${account} is another's, paid by ${payer}`);
  if (!same(owner, address(ZERO))) throw new Fault(`the receipt ${account} is given to a program`);
  if (space !== 0n) throw new Fault(`the receipt ${account} has ${space} bytes, want none`);
  if (lamports > MAX_RECEIPT)
    throw new Fault(`the receipt ${account} gets ${lamports} lamports, at most ${MAX_RECEIPT} are its rent`);
  checkAddress(account, wallet, seed);
  r.made = account;
  r.lent = lamports;
}

function readReturned(r: Receipts, wallet: string, purpose: Purpose, one: Instruction, f: Fields): void {
  const [lamports, seed, owner] = [f.number(8), f.text(), f.key()];
  const [from, base, to] = f.end(3) as [string, string, string];
  if (!one.accounts.includes(wallet)) return;
  if (purpose !== 'return')
    throw new Fault(`it empties the receipt ${from}, which is done in transactions of their own`);
  if (base !== wallet || to !== wallet || !same(owner, address(ZERO)))
    throw new Fault(`it returns ${lamports} lamports of ${base}'s receipt ${from} to ${to}`);
  checkAddress(from, wallet, seed);
  r.returned = u64(r.returned + lamports);
}

/** The account is a receipt's, of this base and seed. */
function checkAddress(account: string, base: string, seed: Uint8Array): void {
  const text = String.fromCharCode(...seed);
  if (!/^[0-9A-Za-z_-]{16,22}$/.test(text))
    throw new Fault(`${JSON.stringify(text)} is no seed of a receipt`);
  if (!same(withSeed(address(base), text, address(ZERO)), address(account)))
    throw new Fault(`${account} is not the receipt of ${base} with the seed ${text}`);
}

/** The fields of an instruction, read one after the other. */
class Fields {
  private at = 0;
  constructor(private readonly one: Instruction) {}

  private take(n: number): Uint8Array {
    if (n > this.one.data.length - this.at) throw this.malformed();
    this.at += n;
    return this.one.data.subarray(this.at - n, this.at);
  }

  /** A little-endian number of the given number of bytes. */
  number(bytes: number): bigint {
    return littleEndian(this.take(bytes));
  }

  key(): Uint8Array {
    return this.take(32);
  }

  text(): Uint8Array {
    const n = this.number(8);
    if (n > MAX_SEED) throw this.malformed();
    return this.take(Number(n));
  }

  /** The accounts, of which at least the given number is needed, when all bytes were read. */
  end(least: number): readonly string[] {
    if (this.at !== this.one.data.length || this.one.accounts.length < least) throw this.malformed();
    return this.one.accounts;
  }

  private malformed(): Fault {
    return new Fault('the instruction of the System program is malformed');
  }
}
