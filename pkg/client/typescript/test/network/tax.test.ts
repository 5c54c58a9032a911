import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { base64 } from '@scure/base';
import { expect, it } from 'vitest';
import { Client, type Signer } from '../../src/index.js';
import { type Ask, taxOf } from '../../src/network/index.js';
import { vectors } from '../vectors.js';

const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';

/** The data of a mint whose tax changes from one number of basis points to another at an epoch. */
function mintWith(older: number, newer: number, epoch: bigint): Uint8Array {
  const data = new Uint8Array(166 + 4 + 32 + 4 + 108);
  const view = new DataView(data.buffer);
  data[165] = 1;
  view.setUint16(166, 3, true); // another extension comes first
  view.setUint16(168, 32, true);
  view.setUint16(202, 1, true);
  view.setUint16(204, 108, true);
  view.setUint16(206 + 72 + 16, older, true);
  view.setBigUint64(206 + 90, epoch, true);
  view.setUint16(206 + 90 + 16, newer, true);
  return data;
}

const account = (data: Uint8Array, owner = TOKEN_2022) => ({
  value: { owner, data: [base64.encode(data), 'base64'] },
});
const node =
  (answer: object, epoch = 7): Ask =>
  async <T>(method: string) =>
    (method === 'getEpochInfo' ? { epoch } : answer) as T;

it('is that of the epoch, and 0 for a token without one', async () => {
  const data = mintWith(500, 250, 7n);
  expect(await taxOf(node(account(data), 6), 'm')).toBe(5);
  expect(await taxOf(node(account(data), 7), 'm')).toBe(2.5);
  expect(await taxOf(node(account(data, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')), 'm')).toBe(0);
  expect(await taxOf(node(account(data.subarray(0, 82))), 'm')).toBe(0);
  expect(await taxOf(node(account(data.subarray(0, 202))), 'm')).toBe(0);
  await expect(taxOf(node({ value: null }), 'm')).rejects.toMatchObject({ code: 'token_not_found' });
});

it(
  'is read from the node for a curve and a lock, whose check does not match another',
  { timeout: 60_000 },
  async () => {
    let points = 500;
    const server = createServer(async (request, response) => {
      const { method } = JSON.parse(await text(request)) as { method: string };
      const results: Record<string, unknown> = {
        getAccountInfo: account(mintWith(0, points, 0n)),
        getEpochInfo: { epoch: 1 },
        getSignatureStatuses: { value: [{ err: null, confirmationStatus: 'confirmed' }] },
      };
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: results[method] }));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    try {
      for (const name of ['curve with a first purchase', 'lock']) {
        const { wallet, asked, given } = vectors.find((v) => v.name === name) as (typeof vectors)[0];
        const signer: Signer = {
          address: wallet,
          signText: async () => new Uint8Array(64),
          signTransaction: async (bytes) => new Uint8Array(bytes).fill(7, 1, 65),
        };
        let calls = 0;
        const send = async () => {
          calls++;
          return new Response(JSON.stringify(given), { headers: { 'Content-Type': 'application/json' } });
        };
        const session = { token: 'jwt', wallet, expiresAt: '2099-01-01T00:00:00.000Z' };
        const options = { send, session, rpcUrl: `http://127.0.0.1:${port}` };
        const client = new Client('https://launch.example', signer, options);
        const { curve, mint, lock } = asked as Record<string, never>;
        const sent = (more: object) =>
          curve ? client.curve(curve, more) : client.lock(mint as never, lock as never, more);
        points = 500;
        expect((await sent({})).given).toEqual(given);
        points = 400;
        await expect(sent({}), name).rejects.toThrow('not what was asked for');
        expect((await sent({ tax: 5 })).given).toEqual(given);
        expect(calls).toBe(3);
        const without = new Client('https://launch.example', signer, { send, session });
        await expect(
          curve ? without.curve(curve) : without.lock(mint as never, lock as never),
        ).rejects.toThrow('rpcUrl');
        expect(calls).toBe(3);
      }
    } finally {
      server.close();
    }
  },
);
