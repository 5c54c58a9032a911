import { local } from '../ui/storage';
import { serviceNow } from './clock';
import type { Unsigned } from './unsigned';

/** The kinds of transactions that the page has signed. */
export type Kind = 'launch' | 'tax' | 'promotion' | 'pool' | 'curve' | 'trade' | 'fees' | 'lock';

/**
 * A created and perhaps signed transaction with an unknown outcome. The transaction is stored, so
 * that a reload, a closed tab or a lost response leads back to this transaction, and never to a
 * second transaction. A signed transaction is no secret: it can only do what its owner agreed to.
 */
export interface Pending {
  readonly kind: Kind;
  /** The subject, such as the address of a mint. */
  readonly of: string;
  readonly wallet: string;
  readonly unsigned: Unsigned;
  /** With the wallet's signature, in base64; null before the signature. */
  readonly signed: string | null;
  /** The inputs of the transaction. */
  readonly stamp?: string | undefined;
}

const key = (kind: Kind, of: string, wallet: string): string => `pending:${kind}:${of}:${wallet}`;

/** Stores the transaction before any further step. */
export function remember(pending: Pending): void {
  try {
    local.set(key(pending.kind, pending.of, pending.wallet), JSON.stringify(pending));
  } catch {
    // The storage is full or disabled: the transaction is known as long as the page is open.
  }
}

/** Returns the transaction in progress, or null. */
export function remembered(kind: Kind, of: string, wallet: string): Pending | null {
  try {
    const text = local.get(key(kind, of, wallet));
    const found = text ? (JSON.parse(text) as Pending) : null;
    if (!found || found.signed) return found;
    // An unsigned, expired transaction has no use, unless the transaction can be renewed.
    const lives = Date.parse(found.unsigned.expiresAt) > serviceNow();
    return lives || found.unsigned.lastValidBlockHeight !== undefined ? found : null;
  } catch {
    return null;
  }
}

/** Deletes a transaction that has ended. */
export function settle(kind: Kind, of: string, wallet: string): void {
  local.remove(key(kind, of, wallet));
}
