import { type Asked, check, NotAsAsked } from 'tokenlaunch/sign';

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

/** What a check without a creation returns: the cost as of now, and the steps without what only a creation knows. */
export type Review = Pick<Unsigned, 'cost' | 'explanation'>;

/** Gives the bytes to sign; throws a sentence when they are not, to the byte, what was asked for. */
export function toSign(unsigned: Unsigned, asked: Asked, wallet: string): Uint8Array {
  try {
    return check(wallet, asked, unsigned);
  } catch (cause) {
    if (!(cause instanceof NotAsAsked)) throw cause;
    throw new Error(`Your wallet was not asked to sign: ${cause.message}.`);
  }
}
