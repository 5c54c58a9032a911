import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { base58, base64 } from '@scure/base';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { broadcast, nodeAt, words } from '../../src/network/index.js';

const start = Date.parse('2026-03-02T10:00:00.000Z');
const [vector] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../testdata/asked.json'), 'utf8'),
) as [{ given: { transaction: string } }];
const signed = base64.decode(vector.given.transaction).fill(7, 1, 65);
const signature = base58.encode(new Uint8Array(64).fill(7));
const unsigned = { expiresAt: new Date(start + 30_000).toISOString(), lastValidBlockHeight: 4_711 };

type Answer = { result: unknown } | { error: { code: number; message: string; data?: unknown } };

/** A node whose answers are set for each method. */
const node: Record<string, () => Answer> = {};
let calls: string[] = [];
const status = (value: object | null): Answer => ({ result: { value: [value] } });

beforeEach(() => {
  vi.useFakeTimers({ now: start });
  calls = [];
  node.getSignatureStatuses = () => status(null);
  node.sendTransaction = () => ({ result: signature });
  node.getBlockHeight = () => ({ result: 4_711 });
  vi.stubGlobal('fetch', async (_: string, init: { body: string }) => {
    const { method } = JSON.parse(init.body) as { method: string };
    calls.push(method);
    return new Response(JSON.stringify(node[method]?.()));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Runs it for a time; what came of it, or "watching". */
async function run(milliseconds: number, again = false): Promise<string> {
  let end = 'watching';
  broadcast(nodeAt('http://node.example'), signed, unsigned, { again }).then(
    (got) => {
      end = got;
    },
    (cause: Error & { code?: string }) => {
      end = cause.code ?? cause.message;
    },
  );
  await vi.advanceTimersByTimeAsync(milliseconds);
  return end;
}
const sent = () => calls.filter((c) => c === 'sendTransaction').length;

describe('sending to the network', () => {
  it('continues until it is confirmed, and not until it is only seen', async () => {
    node.getSignatureStatuses = () =>
      Date.now() < start + 3_000
        ? status(null)
        : status({ err: null, confirmationStatus: Date.now() < start + 9_000 ? 'processed' : 'confirmed' });
    expect(await run(8_000)).toBe('watching');
    calls = [];
    expect(await run(2_000)).toBe(signature);
  });
  it('does not send what has landed already', async () => {
    node.getSignatureStatuses = () => status({ err: null, confirmationStatus: 'finalized' });
    expect(await run(0, true)).toBe(signature);
    expect(sent()).toBe(0);
  });
  it('sends again while no node has it', async () => {
    expect(await run(13_000)).toBe('watching');
    expect(sent()).toBe(5);
  });
  it('reports that it lapsed only when no block can take it any more', async () => {
    expect(await run(70_000)).toBe('watching');
    node.getBlockHeight = () => ({ result: 4_712 });
    calls = [];
    expect(await run(29_000)).toBe('lapsed');
  });
  it('takes a refusal at the first try as final, and none after that', async () => {
    node.sendTransaction = () => ({
      error: { code: -32002, message: 'x', data: { err: { InstructionError: [2, { Custom: 1 }] } } },
    });
    expect(await run(0)).toBe('chain_refused');
    expect(await run(10_000, true)).toBe('watching');
  });
  it('tells of what landed and failed', async () => {
    node.getSignatureStatuses = () =>
      status({ err: { InstructionError: [0, { Custom: 9 }] }, confirmationStatus: 'confirmed' });
    expect(await run(0)).toBe('chain_refused');
  });
  it('knows nothing while the node does not answer', async () => {
    node.getSignatureStatuses = () => ({ error: { code: -32005, message: 'behind' } });
    expect(await run(0)).toBe('node');
  });
});

describe('the network’s words', () => {
  it('are said plainly', () => {
    expect(words({ InstructionError: [2, { Custom: 1 }] })).toBe('step 3 lacked SOL or tokens.');
    expect(words('InsufficientFundsForFee')).toBe('your wallet has too little SOL.');
    expect(words({ InstructionError: [0, 'InvalidAccountData'] })).toContain('step 1 failed');
  });
});
