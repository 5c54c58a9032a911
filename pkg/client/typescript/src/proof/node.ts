/** A Solana node, asked by JSON-RPC: few requests at a time, and again after what passes. */
import { base58, base64 } from '@scure/base';
import { type Listed, type Remembered, type Teller, TOKEN_2022, type Transaction } from './chain.js';
import { Fault, Stopped, Unreachable } from './fault.js';
import { type Answer, readLanding } from './landing.js';
import { ZERO } from './line.js';
import { extensionOf, FEE_CONFIG } from './mint.js';
import { exact, whole } from './numbers.js';

const TRIES = 5;
const FIRST_WAIT = 500;
const TIMEOUT = 20_000;
/** How many signatures a node lists at most (getSignaturesForAddress). */
const PAGE_SIZE = 1000;

/** How a node is asked. */
export interface Asking {
  /** Ends the asking, and with it the verification, which throws Stopped. */
  readonly signal?: AbortSignal;
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

/** A node. */
export class Node implements Teller {
  constructor(
    private readonly url: string,
    private readonly asking: Asking = {},
  ) {}

  /** Calls a method; Unreachable when there is no answer. */
  private async call<T>(method: string, ...params: unknown[]): Promise<T> {
    const { signal, sleep = (ms: number) => new Promise((done) => setTimeout(done, ms)) } = this.asking;
    let why = '';
    for (let tries = 0; tries < TRIES; tries++) {
      if (tries > 0) await sleep(FIRST_WAIT * 2 ** (tries - 1));
      if (signal?.aborted) throw new Stopped();
      const late = AbortSignal.timeout(TIMEOUT);
      let response: Response;
      try {
        response = await fetch(this.url, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
          signal: signal ? AbortSignal.any([signal, late]) : late,
        });
        if (response.ok) return result<T>(exact(await response.text()), method);
      } catch (cause) {
        if (signal?.aborted) throw new Stopped();
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

  async page(address: string, before: string): Promise<readonly Listed[]> {
    const list = await this.call<readonly { signature: string; slot: unknown; memo?: string | null }[]>(
      'getSignaturesForAddress',
      address,
      { commitment: 'finalized', limit: PAGE_SIZE, ...(before === '' ? {} : { before }) },
    );
    // A local chain lists its own changes with a signature of zeros.
    return list
      .map(({ signature, slot, memo }) => ({ signature, slot: whole(slot), ...(memo ? { memo } : {}) }))
      .filter(({ signature }) => !/^1+$/.test(signature));
  }

  async landing(signature: string): Promise<Transaction | null> {
    const answer = await this.call<Answer | null>('getTransaction', signature, {
      commitment: 'confirmed',
      encoding: 'json',
      maxSupportedTransactionVersion: 1,
    });
    return answer?.meta ? readLanding(signature, { ...answer, meta: answer.meta }) : null;
  }

  async tokenAccountsOf(owner: string, mint: string): Promise<readonly string[]> {
    const { value } = await this.call<{ value: readonly { pubkey: string }[] }>(
      'getTokenAccountsByOwner',
      owner,
      { mint },
      { commitment: 'confirmed', encoding: 'base64', dataSlice: { offset: 0, length: 0 } },
    );
    return value.map((account) => account.pubkey);
  }

  async withdrawer(mint: string): Promise<string> {
    const { value } = await this.call<{ value: { owner: string; data: [string, string] } | null }>(
      'getAccountInfo',
      mint,
      { commitment: 'confirmed', encoding: 'base64' },
    );
    if (value === undefined) throw new Unreachable("the node's answer cannot be read");
    if (value === null) throw new Fault(`there is no mint ${mint}`);
    const data = base64.decode(value.data[0]);
    return value.owner === TOKEN_2022 ? withdrawerIn(data) : ZERO;
  }

  async remembers(): Promise<Remembered | null> {
    try {
      const first = whole(await this.call('getFirstAvailableBlock'));
      return { first, newest: whole(await this.call('getSlot', { commitment: 'confirmed' })) };
    } catch (cause) {
      if (cause instanceof Unreachable) return null;
      throw cause;
    }
  }
}

/** Who may withdraw, by a mint's data. */
function withdrawerIn(data: Uint8Array): string {
  const config = extensionOf(data, FEE_CONFIG);
  return config && config.length >= 64 ? base58.encode(config.subarray(32, 64)) : ZERO;
}

function result<T>(answer: unknown, method: string): T {
  const { result: got, error } = answer as { result?: T; error?: { message?: string } };
  if (error) throw new Unreachable(`the node refuses ${method}: ${String(error.message).slice(0, 200)}`);
  if (got === undefined) throw new Unreachable(`the node gives no result of ${method}`);
  return got;
}
