import '../token/page';
import { act, cleanup, render, screen } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MyTokens } from '../../src/mine/list';
import { remember } from '../../src/wallet/pending';
import type { Session } from '../../src/wallet/session';
import { examples } from '../token/examples';

const session = {
  wallet: examples.token.creator,
  token: 'jwt',
  expiresAt: '',
  sign: async (t) => t,
  signText: async () => new Uint8Array(64),
} satisfies Session;
const transactionId = '7b3f0c5e-8c66-4dd5-9a5e-0b8f2f4f5d10';
const waiting = { ...examples.token, status: 'submitted', transactionId };
const failed = { ...waiting, status: 'failed', reason: 'The wallet is 5000 lamports short.' };

let tokens: object[];
let asked: string[];

beforeEach(() => {
  localStorage.clear();
  asked = [];
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(new URL(request.url).search);
    const body = { tokens, pagination: { page: 1, limit: 20, total: 1, totalPages: 1, hasNext: false } };
    return new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } });
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const show = () => render(<MyTokens session={session} page={1} />);

describe('my tokens', () => {
  it('show a launch that waits, and why it failed once it did', async () => {
    tokens = [waiting];
    show();
    await screen.findByText('Waiting for confirmation');
    expect(screen.queryByText('Go on with the launch')).toBeNull();
    expect(asked).toEqual(['?page=1&limit=20&status=all']);
    tokens = [failed];
    await act(async () => void (await vi.advanceTimersByTimeAsync(16_000)));
    await screen.findByText('Launch failed');
    expect(screen.getByText(failed.reason)).not.toBeNull();
    const before = asked.length;
    await act(async () => void (await vi.advanceTimersByTimeAsync(60_000)));
    expect(asked.length, 'nothing waits any more').toBe(before);
  });
  it('lead back to a launch that this browser has signed', async () => {
    tokens = [waiting];
    remember({
      kind: 'launch',
      of: 'new',
      wallet: session.wallet,
      unsigned: { transactionId } as never,
      signed: 'AQ==',
    });
    show();
    expect((await screen.findByText('Go on with the launch')).getAttribute('href')).toBe('/launch');
  });
});
