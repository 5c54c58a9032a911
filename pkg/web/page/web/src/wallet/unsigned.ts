import { type Asked, check, TransactionMismatchError } from 'tokenlaunch/sign';

/** The response of every create-unsigned call. */
export interface Unsigned {
  /** The transaction, base64. */
  readonly transaction: string;
  /** Absent if the service does not follow the transaction. */
  readonly transactionId?: string;
  readonly expiresAt: string;
  /** Height of the last block that accepts the transaction; absent if the service decides the expiry. */
  readonly lastValidBlockHeight?: number;
  /** Lamports by purpose; `totalLamports` is the sum that leaves the wallet. */
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

/**
 * The result of a check without a creation: the present cost, and the steps without data that only
 * a creation knows.
 */
export type Review = Pick<Unsigned, 'cost' | 'explanation'>;

/** Returns the bytes to sign; throws a sentence if the bytes are not exactly the requested transaction. */
export function toSign(unsigned: Unsigned, asked: Asked, wallet: string): Uint8Array {
  try {
    return check(wallet, asked, unsigned);
  } catch (cause) {
    if (!(cause instanceof TransactionMismatchError)) throw cause;
    throw new Error(`Your wallet was not asked to sign: ${cause.message}.`);
  }
}
