/** Sends what was signed to the network, and watches what becomes of it. */
import { base58, base64 } from '@scure/base';
import { Problem } from '../api/problem.js';
import { timer } from '../api/repeat.js';
import { parse } from '../sign/message.js';
import type { Fresh } from '../sign/renew.js';
import { type Ask, NodeError } from './node.js';

interface Status {
  readonly err: unknown;
  readonly confirmationStatus: 'processed' | 'confirmed' | 'finalized' | null;
}

/** Milliseconds between two looks, and how many looks go by until it is sent once more: it lives some 30 s. */
const LOOK = 1_500;
const RESEND = 2;

/** Signature of a signed transaction, by which the network knows it. */
export function signatureOf(signed: Uint8Array): string {
  const [first] = parse(signed).signatures;
  if (!first) throw new Error('The transaction has no signature.');
  return base58.encode(first);
}

/** The options of a broadcast. */
export interface Watching {
  /** Told how far it is, in words. */
  readonly tell?: (text: string) => void;
  /** It may have been sent before. */
  readonly again?: boolean;
  /** The service's time, in milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Sends a transaction to the network and watches until it is confirmed. It may be called again with
 * the same bytes (`again`): one transaction lands once. Throws a Problem: `chain_refused` and `lapsed`
 * are final; others leave it open, and calling again finds out.
 */
export async function broadcast(
  node: Ask,
  signed: Uint8Array,
  { expiresAt, lastValidBlockHeight }: Pick<Fresh, 'expiresAt' | 'lastValidBlockHeight'>,
  { tell = () => {}, again = false, now = Date.now }: Watching = {},
): Promise<string> {
  const signature = signatureOf(signed);
  const ask = patient(node);
  for (let look = 0; ; look++) {
    const status = await statusOf(ask, signature);
    if (status?.err)
      throw new Problem('chain_refused', `The network ran it, and it failed: ${words(status.err)}`);
    if (status && status.confirmationStatus !== 'processed' && status.confirmationStatus !== null)
      return signature;
    if (
      !status &&
      Date.parse(expiresAt) < now() &&
      !(await mayLand(ask, lastValidBlockHeight)) &&
      !(await statusOf(ask, signature))
    )
      throw new Problem('lapsed', 'It missed its last block and can no longer go through. Nothing was paid.');
    if (!status && look % RESEND === 0) {
      tell('Sending it to the network …');
      await send(node, signed, signature, !again && look === 0);
    } else {
      tell(status ? 'It is in a block. Waiting for confirmation …' : 'Waiting for the network …');
    }
    await timer(LOOK);
  }
}

/** Asks the node for something that it has to know; when it refuses, it is asked again later. */
const patient =
  (node: Ask): Ask =>
  async (method, params) => {
    try {
      return await node(method, params);
    } catch (cause) {
      if (!(cause instanceof NodeError)) throw cause;
      throw new Problem('node', `The Solana node did not answer: ${cause.message}`, { retryAfter: 3 });
    }
  };

async function statusOf(ask: Ask, signature: string): Promise<Status | null> {
  const got = await ask<{ value: (Status | null)[] }>('getSignatureStatuses', [
    [signature],
    { searchTransactionHistory: true },
  ]);
  return got.value[0] ?? null;
}

/**
 * Reports whether a block can still accept the transaction: until the final blocks are past the last
 * valid one. `isBlockhashValid` does not decide this: a node whose final block is older than the
 * blockhash reports the blockhash as invalid, too.
 */
async function mayLand(ask: Ask, lastValid = Number.POSITIVE_INFINITY): Promise<boolean> {
  return (await ask<number>('getBlockHeight', [{ commitment: 'finalized' }])) <= lastValid;
}

/**
 * The node tries a transaction before it sends it. What it refuses the first time was never sent;
 * later an earlier sending may still land, so the watching continues.
 */
async function send(node: Ask, signed: Uint8Array, signature: string, first: boolean): Promise<void> {
  try {
    await node('sendTransaction', [
      base64.encode(signed),
      { encoding: 'base64', preflightCommitment: 'confirmed' },
    ]);
  } catch (cause) {
    if (!(cause instanceof NodeError)) throw cause;
    const { err } = (cause.data ?? {}) as { err?: unknown };
    // It landed between the look and the sending, or its time is over, which the next look finds out.
    if (!first || err === 'AlreadyProcessed' || err === 'BlockhashNotFound') return;
    if (await statusOf(patient(node), signature)) return;
    if (err !== undefined && err !== null)
      throw new Problem('chain_refused', `The network rejected it: ${words(err)} Nothing was paid.`);
    throw new Problem('node', `The Solana node refused it: ${cause.message}`, { retryAfter: 3 });
  }
}

/** The network's word for what went wrong, as a sentence. */
export function words(err: unknown): string {
  if (err === 'InsufficientFundsForFee' || err === 'AccountNotFound')
    return 'your wallet has too little SOL.';
  if (err && typeof err === 'object') {
    if ('InsufficientFundsForRent' in err) return 'your wallet has too little SOL.';
    const [index, inner] = (err as { InstructionError?: [number, unknown] }).InstructionError ?? [];
    if (index !== undefined && inner && typeof inner === 'object' && 'Custom' in inner)
      return inner.Custom === 1
        ? `step ${index + 1} lacked SOL or tokens.`
        : `the program of step ${index + 1} refused it (number ${inner.Custom}).`;
    if (index !== undefined) return `step ${index + 1} failed (${JSON.stringify(inner)}).`;
  }
  return `${typeof err === 'string' ? err : JSON.stringify(err)}.`;
}
