import '../token/page';
import { readFileSync } from 'node:fs';
import { base64 } from '@scure/base';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import type { Schemas } from 'tokenlaunch/api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { atFirst, bodyOf, lastOf } from '../../src/mine/lock/body';
// Fetched when it is wanted, which takes a while the first time.
import '../../src/mine/lock/form';
import { Lock } from '../../src/mine/lock/part';
import { remember } from '../../src/wallet/pending';
import { examples } from '../token/examples';

interface Vector {
  readonly name: string;
  readonly wallet: string;
  readonly asked: { readonly lock: Schemas['TokenLock']; readonly mint: string; readonly tax: number };
  readonly given: Schemas['UnsignedLock'];
}

// What the service prepared for a lock: both clients are held to it.
const vectors: readonly Vector[] = JSON.parse(readFileSync('../../../client/testdata/asked.json', 'utf8'));
const { wallet, asked, given } = vectors.find((v) => v.name === 'lock') as Vector;

/** A time as an input has it, in the zone of these tests. */
const local = (time: string | number) => {
  const at = new Date(time);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, -1);
};

describe('what is typed of a lock', () => {
  const now = Date.parse('2026-11-25T00:00:00.000Z');
  const typed = { ...atFirst, tokenAmount: '1,000', firstReleaseAt: local(now + 86_400_000) };
  const wrong = (change: object) => Object.keys(bodyOf({ ...typed, ...change }, 6, now).wrong);
  it('is the body of the call', () => {
    expect(bodyOf(typed, 6, now)).toEqual({
      body: {
        tokenAmount: '1000000000',
        firstReleaseAt: '2026-11-26T00:00:00.000Z',
        releases: 1,
        periodSeconds: undefined,
        recipient: undefined,
      },
      wrong: {},
    });
    const several = { ...typed, releases: ' 12', period: '2', unit: '3600', recipient: ` ${wallet} ` };
    expect(bodyOf(several, 6, now)).toMatchObject({
      body: { releases: 12, periodSeconds: 7200, recipient: wallet },
      wrong: {},
    });
    expect(lastOf('2026-11-26T00:00:00.000Z', 12, 7200)).toBe('2026-11-26T22:00:00.000Z');
  });
  it('is told what is wrong with it, by the names of the API', () => {
    expect(wrong({ tokenAmount: '0' })).toEqual(['tokenAmount']);
    expect(wrong({ firstReleaseAt: '' })).toEqual(['firstReleaseAt']);
    expect(wrong({ firstReleaseAt: local(now + 59_999) })).toEqual(['firstReleaseAt']);
    expect(wrong({ firstReleaseAt: local(now + 60_000) })).toEqual([]);
    const latest = now + 3650 * 86_400_000;
    expect(wrong({ firstReleaseAt: local(latest) })).toEqual([]);
    expect(wrong({ firstReleaseAt: local(latest + 1) })).toEqual(['firstReleaseAt']);
    for (const releases of ['', '0', '1001', '1.5', '-1']) expect(wrong({ releases })).toEqual(['releases']);
    for (const period of ['', '0', '366', '1.5'])
      expect(wrong({ releases: '2', period })).toEqual(['periodSeconds']);
    expect(wrong({ releases: '2', period: '365' })).toEqual([]);
    expect(wrong({ releases: '1', period: '' })).toEqual([]);
    expect(wrong({ releases: '12', period: '365' }), 'the last of them is too late').toEqual([
      'periodSeconds',
    ]);
    expect(wrong({ recipient: 'me' })).toEqual(['recipient']);
  });
});

describe('a lock', () => {
  const session = {
    wallet,
    token: 'jwt',
    expiresAt: '',
    sign: vi.fn(async (bytes: Uint8Array) => bytes.slice().fill(7, 1, 65)),
    signText: async () => new Uint8Array(64),
  };
  const launched = {
    ...examples.token,
    mintAddress: asked.mint,
    creator: wallet,
    decimals: 6,
    transferFeePercent: asked.tax,
  };
  /** What the service answers, and the tax that the chain has, in basis points. */
  let answered: { status: number; body: unknown };
  let points: number;
  let bodies: unknown[];
  /** What was sent to the network. */
  let landed: string[];

  beforeEach(() => {
    localStorage.clear();
    sessionStorage.clear();
    session.sign.mockClear();
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    answered = { status: 200, body: { ...given, expiresAt, simulation: { ok: true } } };
    [points, bodies, landed] = [asked.tax * 100, [], []];
    const node = (method: string, params: readonly string[]) => {
      if (method === 'getEpochInfo') return { epoch: 8, blockHeight: 1 };
      if (method === 'getBlockHeight') return 1;
      if (method === 'sendTransaction') landed.push(params[0] as string);
      if (method === 'getSignatureStatuses')
        return { value: [landed.length > 0 ? { err: null, confirmationStatus: 'confirmed' } : null] };
      const fee = (epoch: number, transferFeeBasisPoints: number) => ({ epoch, transferFeeBasisPoints });
      const state = { olderTransferFee: fee(0, 1), newerTransferFee: fee(8, points) };
      const info = { extensions: [{ extension: 'transferFeeConfig', state }] };
      return method === 'getAccountInfo' ? { value: { data: { parsed: { info } } } } : 'signature';
    };
    vi.stubGlobal('fetch', async (url: Request | string, init?: RequestInit) => {
      const json = (body: unknown, status = 200) =>
        new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
      if (typeof url === 'string') {
        const { method, params } = JSON.parse(String(init?.body));
        return json({ result: node(method, params) });
      }
      bodies.push(await url.json());
      return json(answered.body, answered.status);
    });
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  /** Types what the vector asks for, and asks for the transaction. */
  const review = async (change: object = {}) => {
    render(<Lock session={session} token={{ ...launched, ...change } as never} />);
    fireEvent.click(screen.getByRole('button', { name: 'Lock tokens' }));
    const type = async (label: RegExp, value: string) =>
      fireEvent.input(await screen.findByLabelText(label), { target: { value } });
    await type(/to lock/, '120,000,000.000007');
    await type(/^Recipient/, asked.lock.recipient ?? '');
    await type(/^First release/, local(asked.lock.firstReleaseAt));
    await type(/^Number of releases/, '12');
    await type(/^Time between releases/, '30');
    screen.getByText(/^The last release is on .*2028/);
    fireEvent.click(screen.getByRole('button', { name: 'Review lock' }));
  };
  const sign = async () => {
    const button = (await screen.findByRole('button', { name: 'Sign and send' })) as HTMLButtonElement;
    await waitFor(() => expect(button.disabled).toBe(false));
    fireEvent.click(button);
  };

  // It looks again a second and a half after it was sent.
  const done = () => screen.findByText('Done. The network has confirmed it.', {}, { timeout: 4_000 });

  it('is filled in, explained, signed as it was asked for, and sent', async () => {
    await review();
    await screen.findByText('114,000,000.000006 CRANE');
    screen.getByText(
      /9,500,000\.000006 CRANE are released on .*2027.*, then 9,500,000 CRANE 11 more times, the last on .*2028/,
    );
    screen.getByText(/^Moves at most 120000000000007 base units/);
    await sign();
    await done();
    expect(bodies).toEqual([asked.lock]);
    expect(session.sign.mock.calls).toEqual([[base64.decode(given.transaction)]]);
    expect(landed[0]?.slice(100)).toBe(given.transaction.slice(100));
    screen.getByText(/^The escrow is/);
  });

  it('that was read for long is signed afresh, with an escrow of its own', async () => {
    const before = {
      ...(answered.body as typeof given),
      expiresAt: new Date(Date.now() + 10_000).toISOString(),
    };
    const named = (escrow: string) => before.explanation.map((s) => s.replace(given.escrowAddress, escrow));
    const { body } = answered;
    answered.body = { ...before, escrowAddress: wallet, explanation: named(wallet) };
    await review();
    await screen.findByRole('button', { name: 'Sign and send' });
    answered.body = body;
    await sign();
    await done();
    expect([bodies.length, session.sign.mock.calls.length]).toEqual([2, 1]);
    cleanup();
    localStorage.clear();
    answered.body = {
      ...before,
      explanation: before.explanation.map((s) => s.replace('11 times', '12 times')),
    };
    await review();
    await screen.findByText(/12 times/);
    answered.body = body;
    await sign();
    await screen.findByText(/after every 2592000 seconds, 11 times/);
    expect(session.sign.mock.calls.length, 'what else has changed is read first').toBe(1);
  });

  it('with a byte that was not asked for is not shown to the wallet', async () => {
    const bytes = base64.decode(given.transaction);
    // Of the last instruction's numbers: more releases.
    bytes[bytes.length - 11] = (bytes[bytes.length - 11] as number) ^ 1;
    answered.body = { ...(answered.body as object), transaction: base64.encode(bytes) };
    await review();
    await sign();
    await screen.findByText(/^Your wallet was not asked to sign: /);
    expect(session.sign).not.toHaveBeenCalled();
  });

  it.each([true, false])('counts with the tax that the chain has (adjustable: %s)', async (adjustable) => {
    await review({ transferFeeAdjustable: adjustable, transferFeePercent: 1 });
    await sign();
    await done();
    cleanup();
    // More would leave the wallet than was typed, of a token of which the service says it has less.
    points = 600;
    await review({ transferFeeAdjustable: adjustable });
    await sign();
    await screen.findByText(/^Your wallet was not asked to sign: /);
  });

  it('that is refused is reported at the field', async () => {
    const message = 'The last release must be within ten years of 365 days.';
    answered = {
      status: 400,
      body: {
        status: 400,
        code: 'validation_failed',
        detail: 'No.',
        errors: [{ field: 'periodSeconds', code: 'out_of_range', message }],
      },
    };
    await review();
    await screen.findByText(message);
    expect(screen.getByLabelText(/^Time between/).getAttribute('aria-invalid')).toBe('true');
  });

  it('that was signed is gone on with after a reload', async () => {
    const signed = base64.encode(base64.decode(given.transaction).fill(7, 1, 65));
    remember({ kind: 'lock', of: asked.mint, wallet, unsigned: given as never, signed });
    render(<Lock session={session} token={launched as never} />);
    fireEvent.click(await screen.findByRole('button', { name: 'Continue' }));
    await done();
    expect(bodies).toEqual([]);
  });
});
