/** A Solana node, asked by JSON-RPC: few requests at a time, and again after what passes. */
import { base64 } from '@scure/base';
import { Unreachable } from './fault.js';

/** Requests under way at once; public nodes answer 429 to more. */
export const AT_ONCE = 4;
const TRIES = 5;
const FIRST_WAIT = 500;
const TIMEOUT = 20_000;

type Sleep = (milliseconds: number) => Promise<void>;

/** What a node answers of an account. */
export interface Account {
  readonly owner: string;
  readonly data: Uint8Array;
}

/** What a node says of a transaction: its bytes, and what became of it. */
export interface Landed {
  readonly raw: Uint8Array;
  readonly slot: bigint;
  /** Why it failed; empty when it succeeded. */
  readonly failed: string;
  /** No fork can take it back any more. */
  readonly finalized: boolean;
}

/** A whole number of an answer. One that this browser has rounded is not taken. */
export function whole(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string' && /^[0-9]{1,20}$/.test(value)) return BigInt(value);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  throw new Unreachable('the node gave a number that cannot be read exactly');
}

/** Reads JSON; numbers beyond 2^53 keep all their digits where the browser can tell them. */
function parse(text: string): unknown {
  const exact = (_: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' &&
    context?.source &&
    !Number.isSafeInteger(value) &&
    /^\d+$/.test(context.source)
      ? BigInt(context.source)
      : value;
  return JSON.parse(text, exact as (key: string, value: unknown) => unknown);
}

/** Why a transaction failed, in the node's own words. */
export const failure = (err: unknown): string =>
  err === null || err === undefined ? '' : JSON.stringify(err);

/** A node. */
export class Node {
  constructor(
    private readonly url: string,
    private readonly sleep: Sleep = (ms) => new Promise((done) => setTimeout(done, ms)),
  ) {}

  /** Calls a method; Unreachable when there is no answer. */
  async call<T>(method: string, ...params: unknown[]): Promise<T> {
    let why = '';
    for (let tries = 0; tries < TRIES; tries++) {
      if (tries > 0) await this.sleep(FIRST_WAIT * 2 ** (tries - 1));
      let response: Response;
      try {
        response = await fetch(this.url, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
          signal: AbortSignal.timeout(TIMEOUT),
        });
        if (response.ok) return result<T>(parse(await response.text()), method);
      } catch (cause) {
        if (cause instanceof Unreachable) throw cause;
        why = 'the node cannot be reached';
        continue;
      }
      why =
        response.status === 429
          ? 'the node takes no more questions for now'
          : `the node answers ${response.status}`;
      if (response.status !== 429 && response.status < 500) break;
    }
    throw new Unreachable(why);
  }

  /** Gives a transaction with its bytes; null when the node knows none. */
  async transaction(signature: string): Promise<Landed | null> {
    const ask = (commitment: string) =>
      this.call<{ slot: unknown; transaction: [string, string]; meta: { err: unknown } | null } | null>(
        'getTransaction',
        signature,
        { commitment, encoding: 'base64', maxSupportedTransactionVersion: 1 },
      );
    const final = await ask('finalized');
    const found = final ?? (await ask('confirmed'));
    if (!found?.meta) return null;
    let raw: Uint8Array;
    try {
      raw = base64.decode(found.transaction[0]);
    } catch {
      throw new Unreachable('the node gave a transaction that cannot be read');
    }
    return { raw, slot: whole(found.slot), failed: failure(found.meta.err), finalized: final !== null };
  }

  /** Gives an account; null when there is none. */
  async account(address: string): Promise<Account | null> {
    const { value } = await this.call<{ value: { owner: string; data: [string, string] } | null }>(
      'getAccountInfo',
      address,
      { commitment: 'confirmed', encoding: 'base64' },
    );
    if (value === undefined) throw new Unreachable("the node's answer cannot be read");
    return value && { owner: value.owner, data: base64.decode(value.data[0]) };
  }

  /** The first slot that the node remembers; null when it does not say. */
  async remembers(): Promise<bigint | null> {
    try {
      return whole(await this.call('getFirstAvailableBlock'));
    } catch (cause) {
      if (cause instanceof Unreachable) return null;
      throw cause;
    }
  }
}

function result<T>(answer: unknown, method: string): T {
  const { result: got, error } = answer as { result?: T; error?: { message?: string } };
  if (error) throw new Unreachable(`the node refuses ${method}: ${String(error.message).slice(0, 200)}`);
  if (got === undefined) throw new Unreachable(`the node gives no result of ${method}`);
  return got;
}
