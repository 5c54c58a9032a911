import '../token/page';
import { base58 } from '@scure/base';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import { handoverText } from 'tokenlaunch/proof';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { atFirst, bodyOf, delay, type Handover } from '../../src/mine/handover/body';
// Fetched when it is wanted, which takes a while the first time.
import '../../src/mine/handover/form';
import { HandoverPart } from '../../src/mine/handover/part';

const mint = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const other = '8sLhuH3TKG1tao2fvqFrd2agZMkELDAoawpjvF5LaEtx';
const none: Handover = {
  status: 'none',
  number: 0,
  newAuthority: null,
  orderedBy: null,
  orderedAt: null,
  effectiveAt: null,
  cancelledAt: null,
  doneAt: null,
  transactionSignature: null,
  delaySeconds: 604_800,
};

/** A time as an input has it, in the zone of these tests. */
const local = (time: number) => {
  const at = new Date(time);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
};

describe('what is typed of a hand-over', () => {
  const now = Date.parse('2026-11-25T00:00:00.000Z');
  const soonest = now + 604_800_000;
  const typed = { ...atFirst, newAuthority: ` ${other} `, effectiveAt: local(soonest) };
  const wrong = (change: object) => Object.keys(bodyOf({ ...typed, ...change }, now, none).wrong);
  it('is the order without the signature', () => {
    expect(bodyOf(typed, now, { number: 4, delaySeconds: 604_800 })).toEqual({
      body: { number: 5, newAuthority: other, effectiveAt: '2026-12-02T00:00:00Z' },
      wrong: {},
    });
  });
  it('is told what is wrong with it, by the names of the API', () => {
    expect(wrong({ newAuthority: 'me' })).toEqual(['newAuthority']);
    expect(wrong({ effectiveAt: '' })).toEqual(['effectiveAt']);
    expect(wrong({ effectiveAt: local(soonest - 1000) })).toEqual(['effectiveAt']);
    expect(wrong({ effectiveAt: local(soonest + 90 * 86_400_000) })).toEqual([]);
    expect(wrong({ effectiveAt: local(soonest + 90 * 86_400_000 + 1000) })).toEqual(['effectiveAt']);
    expect([delay(604_800), delay(86_400), delay(7200), delay(90)]).toEqual([
      '7 days',
      '1 day',
      '2 hours',
      '2 minutes',
    ]);
  });
});

describe('a hand-over', () => {
  const signText = vi.fn(async (_: string) => new Uint8Array(64).fill(7));
  const session = { wallet: other, token: 'jwt', expiresAt: '', sign: async (b: Uint8Array) => b, signText };
  let state: Handover;
  let asked: { method: string; body: unknown }[];
  beforeEach(() => {
    sessionStorage.clear();
    signText.mockClear();
    [state, asked] = [none, []];
    vi.stubGlobal('fetch', async (request: Request) => {
      const body = request.method === 'POST' ? await request.json() : null;
      if (request.method !== 'GET') asked.push({ method: request.method, body });
      const now = '2026-11-25T00:00:00.000Z';
      if (request.method === 'POST')
        state = { ...state, ...body, status: 'ordered', orderedBy: 'creator', orderedAt: now };
      if (request.method === 'DELETE') state = { ...state, status: 'cancelled', cancelledAt: now };
      return new Response(JSON.stringify(state), { headers: { 'Content-Type': 'application/json' } });
    });
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });
  const show = (of = mint) => render(<HandoverPart session={session} mint={of} />);
  const button = async (name: string) => (await screen.findByRole('button', { name })) as HTMLButtonElement;
  const review = async () => {
    show();
    fireEvent.click(await button('Hand over the tax'));
    const at = local(Date.now() + 8 * 86_400_000);
    fireEvent.input(await screen.findByLabelText(/^New owner/), { target: { value: other } });
    fireEvent.input(screen.getByLabelText(/^Not before/), { target: { value: at } });
    fireEvent.click(await button('Review hand-over'));
    return `${new Date(at).toISOString().slice(0, 19)}Z`;
  };

  it('is reviewed, signed as it is read, and cancelled', async () => {
    const effectiveAt = await review();
    const text = handoverText(mint, { number: 1, newAuthority: other, effectiveAt: new Date(effectiveAt) });
    expect(document.querySelector('pre')?.textContent).toBe(text);
    expect(document.querySelector('fieldset')?.disabled, 'the form is locked under its review').toBe(true);
    fireEvent.click(await button('Sign hand-over'));
    fireEvent.click(await button('Cancel hand-over'));
    await screen.findByText(/^Your order to/);
    expect(signText.mock.calls).toEqual([[text]]);
    const signature = base58.encode(new Uint8Array(64).fill(7));
    expect(asked).toEqual([
      { method: 'POST', body: { number: 1, newAuthority: other, effectiveAt, signature } },
      { method: 'DELETE', body: null },
    ]);
  });

  it('that the wallet does not sign is not ordered, and can be edited', async () => {
    signText.mockRejectedValueOnce(new Error('declined'));
    await review();
    fireEvent.click(await button('Sign hand-over'));
    await screen.findByText(/declined/);
    fireEvent.click(await button('Edit'));
    expect(document.querySelector('fieldset')?.disabled).toBe(false);
    expect(asked).toEqual([]);
  });

  it('of the operator, begun or done, has no button', async () => {
    for (const [at, change, words] of [
      ['a', { status: 'ordered', orderedBy: 'operator' }, /you cannot cancel it/],
      ['b', { status: 'begun' }, /has begun and cannot be cancelled/],
      ['c', { status: 'done', doneAt: '2026-12-02T00:00:00.000Z' }, /was handed over to/],
    ] as const) {
      state = { ...none, newAuthority: other, effectiveAt: '2026-12-02T00:00:00.000Z', ...change };
      show(at); // another token: the page remembers what it read of the last one
      await screen.findByText(words);
      await waitFor(() => expect(screen.queryByRole('button', { name: /hand-over|Hand over/ })).toBeNull());
      cleanup();
    }
  });
});
