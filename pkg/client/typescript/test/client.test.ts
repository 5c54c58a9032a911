import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { base58, base64 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import {
  Client,
  keySigner,
  type Options,
  type Order,
  PendingError,
  type Signer,
  type Submission,
  UnknownOutcomeError,
} from '../src/index.js';
import { parse } from '../src/sign/index.js';

interface Vector {
  readonly name: string;
  readonly wallet: string;
  readonly asked: { readonly launch: Order; readonly to: { readonly address: string } };
  readonly given: Record<string, unknown> & {
    readonly transaction: string;
    readonly mintKeypair: { readonly publicKey: string };
  };
  readonly hostile: readonly { readonly name: string; readonly fields: object }[];
}

// What the service prepared, and what a hostile API could answer instead.
const vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../testdata/asked.json'), 'utf8'),
) as Vector[];
const launch = vectors.find((v) => v.name === 'launch') as Vector;
const mint = launch.given.mintKeypair.publicKey;

const json = (status: number, body: object) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
const refusal = (status: number, code: string, more: object = {}) =>
  json(status, { status, code, detail: `${code}.`, ...more });

type Route = (request: Request) => Response | Promise<Response>;

/** A client of a service with these answers, what it was asked for, and what the wallet was to sign. */
function client(wallet: Signer, routes: Record<string, Route>, more: Options = {}) {
  const calls: string[] = [];
  const send = async (request: Request) => {
    const call = `${request.method} ${new URL(request.url).pathname}`;
    calls.push(call);
    const route = routes[call];
    if (!route) throw new TypeError(`no route ${call}`);
    return route(request);
  };
  const session = { token: 'jwt', wallet: wallet.address, expiresAt: '2099-01-01T00:00:00.000Z' };
  const options = { send, session, attempts: 1, sleep: async () => {}, ...more };
  return { calls, client: new Client('https://launch.example', wallet, options) };
}

/** A wallet of which only the address is known, and which signs everything. */
function anyone(address: string) {
  const signed: Uint8Array[] = [];
  const wallet: Signer = {
    address,
    signText: async () => new Uint8Array(64),
    signTransaction: async (bytes) => {
      signed.push(bytes);
      return new Uint8Array(bytes).fill(7, 1, 65);
    },
  };
  return { wallet, signed };
}

const token = (status: string) => ({ mintAddress: mint, status });
const order: Order = launch.asked.launch;
const { imageUri: stored } = order;
const routes = (given: object): Record<string, Route> => ({
  'POST /tokens/generate-distribution-wallet': () => json(200, { walletId: 'w', ...launch.asked.to }),
  'POST /tokens/upload-image': () => json(200, { imageUri: stored }),
  'POST /tokens/create-unsigned': () =>
    json(200, { ...launch.given, transactionId: 't', expiresAt: '2099-01-01T00:00:00.000Z', ...given }),
  'POST /tokens/submit': () => json(200, { token: token('submitted') }),
  [`GET /tokens/${mint}`]: () => json(200, token('confirmed')),
});

describe('a launch in one call', () => {
  it('is prepared, checked, signed, submitted and seen', async () => {
    const { wallet, signed } = anyone(launch.wallet);
    const made = client(wallet, routes({}));
    const kept: Submission[] = [];
    const { imageUri, ...rest } = order;
    const got = await made.client.launch(
      { ...rest, picture: Uint8Array.of(0x89, 0x50, 0x4e, 0x47) },
      { signed: (submission) => void kept.push(submission) },
    );
    expect(got).toEqual(token('confirmed'));
    expect(signed).toEqual([base64.decode(launch.given.transaction)]);
    expect(kept.map((k) => k.mintAddress)).toEqual([mint]);
    expect(made.calls).toEqual([
      'POST /tokens/generate-distribution-wallet',
      'POST /tokens/upload-image',
      'POST /tokens/create-unsigned',
      'POST /tokens/submit',
      `GET /tokens/${mint}`,
    ]);
  });
  it('has nothing signed that is not what was asked for', async () => {
    for (const { name, fields } of launch.hostile) {
      const { wallet, signed } = anyone(launch.wallet);
      const made = client(wallet, routes(fields));
      await expect(made.client.launch(order), name).rejects.toThrow('not what was asked for');
      expect(signed, name).toEqual([]);
    }
    expect(launch.hostile.length).toBeGreaterThan(20);
  });
  it('has nothing signed that costs too much, or that its owner does not want', async () => {
    const { wallet, signed } = anyone(launch.wallet);
    const made = client(wallet, routes({}));
    await expect(made.client.launch(order, { maxLamports: 1n })).rejects.toThrow('more than 1');
    const no = async () => Promise.reject(new Error('no'));
    await expect(made.client.launch(order, { approve: no })).rejects.toThrow('no');
    expect(signed).toEqual([]);
    expect(made.calls).not.toContain('POST /tokens/submit');
  });
  it('reports whether it may have arrived', async () => {
    const { wallet } = anyone(launch.wallet);
    const end = async (route: Route) => {
      const made = client(wallet, { ...routes({}), 'POST /tokens/submit': route });
      return made.client.launch(order).catch((cause: unknown) => cause);
    };
    const lost = () => Promise.reject(new TypeError('fetch failed'));
    for (const route of [
      lost,
      () => refusal(503, 'upstream_unavailable'),
      () => refusal(401, 'invalid_token'),
    ]) {
      const cause = await end(route);
      expect(cause).toBeInstanceOf(UnknownOutcomeError);
      expect((cause as UnknownOutcomeError).submission.mintAddress).toBe(mint);
    }
    const past = {
      'POST /tokens/create-unsigned': () =>
        json(200, { ...launch.given, expiresAt: '2026-01-01T00:00:00.000Z' }),
    };
    const slow = client(wallet, {
      ...routes({}),
      ...past,
      [`GET /tokens/${mint}`]: () => json(200, token('submitted')),
    });
    await expect(slow.client.launch(order)).rejects.toBeInstanceOf(UnknownOutcomeError);
    expect(slow.calls.filter((c) => c === 'POST /tokens/submit')).toHaveLength(2);
    for (const route of [
      () => refusal(400, 'transaction_failed'),
      () => json(200, { token: token('failed') }),
    ])
      expect(await end(route)).not.toBeInstanceOf(UnknownOutcomeError);
  });
});

describe('the options of a call', () => {
  it('give the request that prepares a launch its key and wallet, and leave the rest as they are', async () => {
    const { wallet } = anyone(launch.wallet);
    const keys = async () => {
      const sent = new Map<string, string | null>();
      const kept = Object.entries(routes({})).map(([call, route]): [string, Route] => [
        call,
        (request) => {
          sent.set(call, request.headers.get('Idempotency-Key'));
          return route(request);
        },
      ]);
      const asked = { ...order, wallet: { walletId: 'w', ...launch.asked.to } };
      await client(wallet, Object.fromEntries(kept)).client.launch(asked, { idempotencyKey: 'mine' });
      return sent;
    };
    const [one, two] = [await keys(), await keys()];
    expect(one.has('POST /tokens/generate-distribution-wallet')).toBe(false);
    expect(one.get('POST /tokens/create-unsigned')).toBe('mine');
    // Each request for a wallet is answered with another, so the order must name one.
    const { client: without, calls } = client(anyone(launch.wallet).wallet, routes({}));
    await expect(without.launch(order, { idempotencyKey: 'mine' })).rejects.toThrow('needs a wallet');
    expect(calls).toEqual([]);
    // What takes the place of a submission that has expired is another request.
    expect(one.get('POST /tokens/submit')).not.toBe(two.get('POST /tokens/submit'));
  });
  it('end a launch with the reason of a signal, and after the submission with UnknownOutcomeError', async () => {
    for (const [call, end] of [
      ['POST /tokens/create-unsigned', 'enough'],
      ['POST /tokens/submit', 'It is not known whether'],
    ] as const) {
      const stop = new AbortController();
      const { wallet, signed } = anyone(launch.wallet);
      const made = client(wallet, {
        ...routes({}),
        [call]: () => {
          stop.abort(new Error('enough'));
          return new Promise<Response>(() => {});
        },
      });
      // The send of this test does not end with its signal.
      const never = made.client.launch(order, { signal: stop.signal, attempts: 2 });
      await expect(never).rejects.toThrow(end);
      expect(made.calls.at(-1)).toBe(call);
      expect(signed).toHaveLength(call.endsWith('submit') ? 1 : 0);
    }
  });
  it('go before those of the client', async () => {
    const { wallet } = anyone(launch.wallet);
    const made = client(wallet, { 'POST /tokens/validate': () => refusal(503, 'upstream_unavailable') });
    const body = { ...(order as Required<Order>), walletId: 'w' };
    await expect(made.client.validateToken(body, { attempts: 3 })).rejects.toMatchObject({ status: 503 });
    expect(made.calls).toHaveLength(3);
  });
});

describe('a launch whose blockhash is outdated', () => {
  const key = keySigner(new Uint8Array(32).fill(5));
  /** A transaction of the key's on another blockhash. */
  const on = (blockhash: number, change = false): Uint8Array => {
    const bytes = base64.decode(launch.given.transaction);
    const { message } = parse(bytes);
    const start = bytes.length - message.length;
    bytes.set(base58.decode(key.address), start + 4);
    const at = start + 4 + 32 * (message[3] as number);
    bytes.fill(blockhash, at, at + 32);
    if (change) bytes[bytes.length - 1] = (bytes[bytes.length - 1] as number) ^ 1;
    return bytes;
  };
  const submission = async (): Promise<Submission> => ({
    transactionId: 't',
    signedTransaction: base64.encode(await key.signTransaction(on(1))),
    mintAddress: mint,
    expiresAt: '2099-01-01T00:00:00.000Z',
  });
  const expired = (fresh: Uint8Array) =>
    refusal(400, 'transaction_expired', {
      refresh: { transaction: base64.encode(fresh), expiresAt: '2099-01-01T00:00:00.000Z' },
    });
  const bring = async (fresh: Uint8Array, sent: Submission, landed: boolean) => {
    const bodies: string[] = [];
    const made = client(key, {
      [`GET /tokens/${mint}`]: () =>
        landed ? json(200, token('confirmed')) : refusal(404, 'token_not_found'),
      'POST /tokens/submit': async (request) => {
        bodies.push(((await request.json()) as Submission).signedTransaction);
        return bodies.length === 1 ? expired(fresh) : json(200, { token: token('confirmed') });
      },
    });
    return { bodies, end: await made.client.finish(sent).catch((cause: unknown) => cause) };
  };

  it('is signed again when it is the same, and submitted', async () => {
    const { bodies, end } = await bring(on(2), await submission(), false);
    expect(end).toEqual(token('confirmed'));
    const again = parse(base64.decode(bodies[1] ?? ''));
    expect(again.message).toEqual(parse(on(2)).message);
  });
  it('is not signed again when it is another, or was not signed by this wallet', async () => {
    const sent = await submission();
    const { bodies, end } = await bring(on(2, true), sent, false);
    expect(String(end)).toContain('another transaction');
    const forged = { ...sent, signedTransaction: base64.encode(on(3).fill(9, 1, 65)) };
    expect(String((await bring(on(4), forged, false)).end)).toContain('not signed by this wallet');
    expect(bodies).toHaveLength(1);
  });
  it('is not submitted again when it has landed', async () => {
    const { bodies, end } = await bring(on(2), await submission(), true);
    expect(end).toEqual(token('confirmed'));
    expect(bodies).toEqual([]);
  });
});

describe('an order of settings', () => {
  it('is signed as it was shown, or not at all', async () => {
    const now = { version: 4, burnPercent: 20, distributionEnabled: true };
    const path = `/distribution/${mint}/settings`;
    const bodies: { order: { version: number; signature: string } }[] = [];
    const { wallet } = anyone(launch.wallet);
    const texts: string[] = [];
    const asked: Signer = {
      ...wallet,
      signText: async (bytes) => {
        texts.push(new TextDecoder().decode(bytes));
        return new Uint8Array(64).fill(7);
      },
    };
    const made = client(asked, {
      [`GET ${path}`]: () => json(200, now),
      [`PATCH ${path}`]: async (request) => {
        bodies.push((await request.json()) as (typeof bodies)[0]);
        return json(200, { ...now, version: 5 });
      },
    });
    const shown: string[] = [];
    await made.client.settings(mint, { burnPercent: 25 }, (text) => void shown.push(text));
    expect(texts).toEqual(shown);
    expect(texts[0]).toContain('Burn: 2500 basis points');
    const signature = base58.encode(new Uint8Array(64).fill(7));
    expect(bodies).toEqual([{ burnPercent: 25, order: { version: 5, signature } }]);
    const no = async () => Promise.reject(new Error('no'));
    await expect(made.client.settings(mint, { burnPercent: 30 }, no)).rejects.toThrow('no');
    expect([texts.length, bodies.length]).toEqual([1, 1]);
  });
});

describe('a trade', () => {
  it('is not begun where it could not be sent, and is sent once the node is back', async () => {
    const bought = vectors.find((v) => v.name === 'buy') as Vector & {
      readonly asked: { readonly mint: string; readonly buy: { tokenAmount: string }; readonly most: string };
    };
    const { mint, buy, most } = bought.asked;
    const { wallet, signed } = anyone(bought.wallet);
    const path = `POST /launchpad/${mint}/buy/create-unsigned`;
    const answers = { [path]: () => json(200, bought.given) };
    const made = client(wallet, answers);
    await expect(made.client.buy(mint, buy, BigInt(most))).rejects.toThrow('rpcUrl');
    expect(signed).toEqual([]);
    expect(made.calls).toEqual([]);
    expect(() => new Client('localhost:9400', wallet)).toThrow('https://');

    const asked: string[] = [];
    let onAsked = () => {};
    const node = createServer(async (request, response) => {
      const { method } = JSON.parse(await text(request)) as { method: string };
      asked.push(method);
      onAsked();
      if (asked.length < 3) return void response.writeHead(503).end();
      const result = { value: [{ err: null, confirmationStatus: 'confirmed' }] };
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
    });
    await new Promise<void>((done) => node.listen(0, '127.0.0.1', done));
    const { port } = node.address() as AddressInfo;
    try {
      const again = client(wallet, answers, { rpcUrl: `http://127.0.0.1:${port}` });
      const { signature } = await again.client.buy(mint, buy, BigInt(most));
      expect(signature).toBe(base58.encode(new Uint8Array(64).fill(7)));
      expect(asked).toHaveLength(3);
      expect(signed).toHaveLength(1);
      await expect(again.client.buy(mint, buy, 1n)).rejects.toThrow('more than 1');
      expect(signed).toHaveLength(1);

      asked.length = 0; // the node is away again
      const stop = new AbortController();
      const sleep = async () => stop.abort(new Error('enough'));
      const stopped = client(wallet, answers, { rpcUrl: `http://127.0.0.1:${port}`, sleep });
      const cause = await stopped.client
        .buy(mint, buy, BigInt(most), { signal: stop.signal })
        .catch((cause: unknown) => cause);
      expect(cause).toBeInstanceOf(PendingError);
      expect(cause).toMatchObject({ signature, cause: new Error('enough') });

      const late = new AbortController();
      onAsked = () => late.abort(new Error('late'));
      await expect(again.client.buy(mint, buy, BigInt(most), { signal: late.signal })).rejects.toMatchObject({
        ...{ name: 'PendingError', signature, cause: new Error('late') },
      });
    } finally {
      node.close();
    }
  });
});
