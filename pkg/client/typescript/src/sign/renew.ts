/** A fresh transaction in the place of one that has expired, and what wallets give back. */
import { base58, base64 } from '@scure/base';
import { same } from '../proof/bytes.js';
import { changes, priorityFee, WalletChanged } from './change.js';
import { TransactionMismatchError } from './compare.js';
import { SYSTEM } from './instructions.js';
import { parse, signed, type Transaction } from './message.js';

/** The service's replacement for a transaction that has expired. */
export interface Fresh {
  /** The transaction, base64. */
  readonly transaction: string;
  readonly expiresAt: string;
  readonly lastValidBlockHeight?: number;
}

const ADVANCE_NONCE = 4;

/**
 * Returns the bytes of a fresh transaction to sign. Throws `TransactionMismatchError` when it differs from the one
 * before, signed or not, in more than its blockhash and what the wallet itself added: so it does the
 * same and costs no more, and only one of the two can land.
 */
export function sameAgain(before: string, fresh: string): Uint8Array {
  const [old, bytes] = [base64.decode(before), base64.decode(fresh)];
  const [was, is] = [parse(old), parse(bytes)];
  const issued = parse(on(was, bytes));
  try {
    changes(issued, was);
  } catch (cause) {
    throw new TransactionMismatchError(
      `it is another transaction than the one that expired: in that, ${(cause as Error).message}`,
    );
  }
  if (priorityFee(is) > priorityFee(was))
    throw new TransactionMismatchError('it offers a higher priority fee than the one that expired');
  const [first] = is.instructions;
  // A one-time number does not expire: both could land, one after the other.
  if (!same(old, bytes) && first?.program === SYSTEM && first.data[0] === ADVANCE_NONCE)
    throw new TransactionMismatchError('it uses a durable nonce, and so never needs another blockhash');
  return bytes;
}

/** A transaction on the blockhash of another one. */
function on({ blockhash }: Transaction, bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes);
  const { message, keys } = parse(copy);
  // Three counts, how many accounts there are, these, and the blockhash.
  message.set(base58.decode(blockhash), 3 + (keys.length < 0x80 ? 1 : 2) + 32 * keys.length);
  return copy;
}

/** Puts a fresh transaction in the place of one that was checked, when `sameAgain` lets it pass. */
export function renewed<U extends Fresh>(unsigned: U, fresh: Fresh): U {
  sameAgain(unsigned.transaction, fresh.transaction);
  const { transaction, expiresAt, lastValidBlockHeight } = fresh;
  return { ...unsigned, transaction, expiresAt, lastValidBlockHeight };
}

/** A transaction that a wallet signed. */
export interface Signed {
  /** The bytes to submit or to send. */
  readonly transaction: Uint8Array;
  /** What the wallet changed, a phrase each. */
  readonly changes: readonly string[];
}

/**
 * Checks the transaction that a wallet returned, and returns the bytes to submit or send: with the signatures of
 * others that the wallet dropped. What may change depends on the signatures that the given transaction
 * has. Where other signers' places are empty, as in a launch, the service signs last: another priority
 * fee and Lighthouse assertions are accepted. Where others have signed, nothing is: their signatures are
 * of the given message, and the keys that made them are gone. Where the wallet signs alone, the
 * changes are its owner's. Throws `WalletChanged` otherwise, which names the change.
 */
export function checkSigned(given: Uint8Array, back: Uint8Array): Signed {
  const [before, after] = [parse(given), parse(back)];
  const [own] = after.signatures;
  if (!own || !signed(own) || after.signers[0] !== before.signers[0])
    throw new Error('The wallet gave the transaction back without its signature.');
  if (same(before.message, after.message)) {
    const transaction = new Uint8Array(given);
    // The wallet pays, so its place is the first, behind the number of signatures.
    transaction.set(own, 1);
    return { transaction, changes: [] };
  }
  const others = before.signatures.slice(1);
  let told: string[];
  try {
    told = changes(before, after);
    if (others.length > 0 && others.every(signed)) throw new WalletChanged(told.join(', '));
  } catch (cause) {
    const { why } = cause as WalletChanged;
    if (others.length === 0) told = [why];
    else throw others.every(signed) ? new WalletChanged(`${why}; ${COSIGNED}`) : cause;
  }
  return { transaction: back, changes: told };
}

/** Why a transaction that others signed cannot be used when it was changed. */
const COSIGNED =
  'it has a signature of a key that was made for this transaction only and is gone, so it can be sent only as it was issued: switch off what changes it, or use another wallet';
