import { serviceNow } from './clock';
import type { Unsigned } from './unsigned';

/** The kinds of transactions that the page has signed. */
export type Kind = 'launch' | 'tax' | 'promotion' | 'pool' | 'curve' | 'trade' | 'fees' | 'lock';

/**
 * A transaction that was made, and perhaps signed, and whose end is not known. It is kept so that
 * a reload, a closed tab or a lost answer leads back to it, and never to a second one.
 * A signed transaction is no secret: it can only do what its owner agreed to.
 */
export interface Pending {
  readonly kind: Kind;
  /** What it is of, such as the address of a mint. */
  readonly of: string;
  readonly wallet: string;
  readonly unsigned: Unsigned;
  /** With the wallet's signature, base64; null until there is one. */
  readonly signed: string | null;
  /** What it was made of. */
  readonly stamp?: string | undefined;
}

const key = (kind: Kind, of: string, wallet: string): string => `pending:${kind}:${of}:${wallet}`;

/** Writes it down before anything is done with it. */
export function remember(pending: Pending): void {
  try {
    localStorage.setItem(key(pending.kind, pending.of, pending.wallet), JSON.stringify(pending));
  } catch {
    // The storage is full or switched off: it is known as long as the page is open.
  }
}

/** What was begun and not ended, or null. */
export function remembered(kind: Kind, of: string, wallet: string): Pending | null {
  try {
    const text = localStorage.getItem(key(kind, of, wallet));
    const found = text ? (JSON.parse(text) as Pending) : null;
    if (!found || found.signed) return found;
    // Unsigned and out of time, there is nothing that it could still do, unless it can be renewed.
    const lives = Date.parse(found.unsigned.expiresAt) > serviceNow();
    return lives || found.unsigned.lastValidBlockHeight !== undefined ? found : null;
  } catch {
    return null;
  }
}

/** It has come to an end. */
export function settle(kind: Kind, of: string, wallet: string): void {
  localStorage.removeItem(key(kind, of, wallet));
}
