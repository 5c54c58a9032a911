/** A Solana node, asked by JSON-RPC: few requests at a time, and again after what passes. */
import { base58, base64 } from '@scure/base';
import {
  type Listed,
  type Multisig,
  type Remembered,
  type Teller,
  TOKEN_2022,
  type Transaction,
} from './chain.js';
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

  async multisig(address: string): Promise<Multisig | null> {
    const { value } = await this.call<{ value: { owner: string; data: [string, string] } | null }>(
      'getAccountInfo',
      address,
      { commitment: 'confirmed', encoding: 'base64' },
    );
    if (value === undefined) throw new Unreachable("the node's answer cannot be read");
    return value === null || value.owner !== TOKEN_2022 ? null : multisigIn(base64.decode(value.data[0]));
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

/** A multisig account by its data: m, n, initialized, and the places of eleven members. */
function multisigIn(data: Uint8Array): Multisig | null {
  const [required = 0, n = 0, initialized] = data;
  if (data.length !== 355 || initialized !== 1 || required === 0 || required > n || n > 11) return null;
  const members = Array.from({ length: n }, (_, i) => base58.encode(data.subarray(3 + 32 * i, 35 + 32 * i)));
  return { required, members };
}

/** Who may withdraw, by a mint's data. */
function withdrawerIn(data: Uint8Array): string {
  const config = extensionOf(data, FEE_CONFIG);
  return config && config.length >= 64 ? base58.encode(config.subarray(32, 64)) : ZERO;
}

function result<T>(answer: unknown, method: string): T {
  const { result: got, error } = answer as { result?: T; error?: { message?: string } };
  if (error) throw new Unreachable(`the node refuses ${method}: ${String(error.message).slice(0, 200)}`);
  if (got === undefined) throw new Unreachable(`the node returns no result of ${method}`);
  return got;
}
