/** A fresh transaction in the place of one that has expired, and what wallets give back. */
import { base64 } from '@scure/base';
import { same } from '../proof/bytes.js';
import { NotAsAsked } from './compare.js';
import { SYSTEM } from './instructions.js';
import { parse, signed } from './message.js';

/** What the service gives in the place of a transaction that has expired. */
export interface Fresh {
  /** The transaction, base64. */
  readonly transaction: string;
  readonly expiresAt: string;
  readonly lastValidBlockHeight?: number;
}

const ADVANCE_NONCE = 4;

/**
 * Gives the bytes of a fresh transaction to sign. Throws `NotAsAsked` when it differs from the one
 * before, signed or not, in more than its blockhash: so it does and costs the same, and only one of
 * the two can land.
 */
export function sameAgain(before: string, fresh: string): Uint8Array {
  const [old, bytes] = [base64.decode(before), base64.decode(fresh)];
  const messages = [old, bytes].map((transaction) => {
    const message = new Uint8Array(parse(transaction).message);
    // Three counts, how many accounts there are, these, and the blockhash.
    const start = 4 + 32 * (message[3] as number);
    return message.fill(0, start, start + 32);
  }) as [Uint8Array, Uint8Array];
  if (!same(...messages)) throw new NotAsAsked('it is another transaction than the one that expired');
  const [first] = parse(bytes).instructions;
  // A one-time number does not expire: both could land, one after the other.
  if (!same(old, bytes) && first?.program === SYSTEM && first.data[0] === ADVANCE_NONCE)
    throw new NotAsAsked('it uses a durable nonce, and so never needs another blockhash');
  return bytes;
}

/** Puts a fresh transaction in the place of one that was checked, when `sameAgain` lets it pass. */
export function renewed<U extends Fresh>(unsigned: U, fresh: Fresh): U {
  sameAgain(unsigned.transaction, fresh.transaction);
  const { transaction, expiresAt, lastValidBlockHeight } = fresh;
  return { ...unsigned, transaction, expiresAt, lastValidBlockHeight };
}

/**
 * Looks at what a wallet gave back; throws a sentence. Some wallets add instructions of their own,
 * which guard its owner: that is fine when the transaction is theirs alone to send (`exact` false).
 */
export function checkSigned(given: Uint8Array, back: Uint8Array, exact: boolean): void {
  const [before, after] = [parse(given), parse(back)];
  if (!signed(after.signatures[0]) || after.signers[0] !== before.signers[0])
    throw new Error('The wallet gave the transaction back without its signature.');
  if (exact && !same(before.message, after.message))
    throw new Error(
      'The wallet changed the transaction. Only the one that was made can be used: switch off what changes it, or use another wallet.',
    );
}
