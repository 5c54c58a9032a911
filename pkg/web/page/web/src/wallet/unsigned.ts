import { base64 } from '@scure/base';
import { type Asked, check, NotAsAsked, parse, signed } from 'tokenlaunch/sign';
import type { Schemas } from '../api/client';

/** What every create-unsigned call answers. */
export interface Unsigned {
  /** The transaction, base64. */
  readonly transaction: string;
  /** Absent where the service does not follow the transaction. */
  readonly transactionId?: string;
  readonly expiresAt: string;
  /** Height of the last block that takes it; absent where the service decides until when. */
  readonly lastValidBlockHeight?: number;
  /** Lamports by what they are for; `totalLamports` is what leaves the wallet. */
  readonly cost: { readonly totalLamports: string } & { readonly [part: string]: string };
  readonly explanation: readonly string[];
  readonly simulation: {
    readonly ok: boolean;
    readonly reason?: string;
    readonly detail?: string;
    readonly missingLamports?: string;
    readonly missingTokens?: string;
  };
}

/** Gives the bytes to sign; throws a sentence when they are not, to the byte, what was asked for. */
export function toSign(unsigned: Unsigned, asked: Asked, wallet: string): Uint8Array {
  try {
    return check(wallet, asked, unsigned);
  } catch (cause) {
    if (!(cause instanceof NotAsAsked)) throw cause;
    throw new Error(`Your wallet was not asked to sign: ${cause.message}.`);
  }
}

/**
 * Puts a fresh transaction in the place of one that has expired. It throws a sentence when it differs
 * in more than its blockhash: so it does and costs the same, and only one of the two can happen.
 */
export function renewed<U extends Unsigned>(unsigned: U, fresh: Schemas['Refresh']): U {
  const messages = [unsigned.transaction, fresh.transaction].map((text) => {
    const message = new Uint8Array(parse(base64.decode(text)).message);
    // Three counts, how many accounts there are, these, and the blockhash.
    const start = 4 + 32 * (message[3] as number);
    return base64.encode(message.fill(0, start, start + 32));
  });
  if (messages[0] !== messages[1])
    throw new Error('The service gave another transaction than the one that expired. It is not signed.');
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
  const [a, b] = [before.message, after.message];
  if (exact && (a.length !== b.length || a.some((byte, i) => byte !== b[i])))
    throw new Error(
      'The wallet changed the transaction. Only the one that was made can be used: switch off what changes it, or use another wallet.',
    );
}
