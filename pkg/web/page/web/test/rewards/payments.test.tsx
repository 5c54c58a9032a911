import '../token/page';
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ClaimAll } from '../../src/rewards/claim';
import { paymentsFile } from '../../src/rewards/csv';
import { estimate, NextPayout } from '../../src/rewards/next';
import { Payments } from '../../src/rewards/payments';
import { sums, Totals } from '../../src/rewards/totals';
import type { Session } from '../../src/wallet/session';
import { examples } from '../token/examples';
import { at, service } from '../token/service';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const { ledger, payments, preview, holder } = examples;
const [holding] = ledger.tokens;
const [payment] = payments.payments;
if (!holding || !payment) throw new Error('The document shows no token or no payment');
const path = `/holders/${ledger.wallet}/payments`;

describe('the payments to a wallet', () => {
  it('have amount, token, transaction and proof, page after page', async () => {
    const older = { ...payment, runId: 'older', asset: payment.mintAddress, amount: '5', kind: 'claim' };
    const asked = service((url) =>
      url.pathname !== path
        ? undefined
        : url.searchParams.has('cursor')
          ? { body: { ...payments, payments: [older] } }
          : { body: { ...payments, nextCursor: 'abc' } },
    );
    const { container } = render(<Payments wallet={ledger.wallet} mint={null} />);
    await screen.findByText('0.08120034 SOL');
    expect(screen.getByText(payment.symbol).closest('a')?.getAttribute('href')).toBe(
      `/t/${payment.mintAddress}`,
    );
    expect(screen.getByText('Transaction').getAttribute('href')).toContain(payment.signature);
    expect(screen.getByText('Proof').getAttribute('href')).toBe(payment.proof.url);
    fireEvent.click(screen.getByText('Earlier payments'));
    await screen.findByText(/claimed/);
    expect(container.textContent).toContain(`0.000000005 ${payment.symbol}`);
    expect(asked).toEqual([`${path}?limit=20`, `${path}?limit=20&cursor=abc`]);
  });

  it('can be looked for further back, and say what is missing', async () => {
    service((url) =>
      url.searchParams.has('cursor')
        ? { body: payments }
        : { body: { ...payments, payments: [], complete: false, nextCursor: 'abc' } },
    );
    render(<Payments wallet={ledger.wallet} mint={null} />);
    await screen.findByText(/too many tokens/);
    fireEvent.click(screen.getByText('Look further back'));
    await screen.findByText('0.08120034 SOL');
  });

  it('are one file with one head, over all pages', async () => {
    const accepted: (string | null)[] = [];
    vi.stubGlobal('fetch', async (request: Request) => {
      accepted.push(request.headers.get('Accept'));
      const last = new URL(request.url).searchParams.get('cursor') === 'abc';
      return new Response(last ? 'head\nb\n' : 'head\na\n', {
        headers: last
          ? { 'Content-Type': 'text/csv', 'X-Complete': 'false' }
          : { 'Content-Type': 'text/csv', Link: `<${path}?cursor=abc>; rel="next"`, 'X-Complete': 'true' },
      });
    });
    const told: number[] = [];
    expect(await paymentsFile(ledger.wallet, null, (n) => told.push(n))).toEqual({
      text: 'head\na\nb\n',
      complete: false,
    });
    expect(told).toEqual([1, 2]);
    expect(accepted).toEqual(['text/csv', 'text/csv']);
  });
});

describe('the sums of a wallet', () => {
  const dollars = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
  const second = { ...holding, mint: ledger.wallet, received: '10', owed: '0' };
  const third = {
    ...second,
    arrears: [{ asset: dollars, received: '2500000', owed: '1000000', reserved: '0', reason: null }],
  };

  it('add up tokens by asset', () => {
    expect(sums([holding, second, third])).toEqual([
      { asset: 'SOL', received: 81200360n, owed: 4664n },
      { asset: dollars, received: 2500000n, owed: 1000000n },
    ]);
    const { container } = render(<Totals tokens={[third]} />);
    expect(container.textContent).toContain('2.5 USDC, and 1 USDC still owed');
  });

  it('are claimed from all tokens that owe', async () => {
    const bodies: unknown[] = [];
    vi.stubGlobal('fetch', async (request: Request) => {
      bodies.push(await request.json());
      const problem = { status: 400, code: 'below_cost', detail: 'Too little to send.' };
      const claim = { mint: holding.mint, status: 'accepted', assets: [], problem: null };
      return Response.json(
        { claims: [claim, { ...claim, mint: third.mint, problem }], feeLamports: '28000' },
        { status: 202 },
      );
    });
    const session = { wallet: ledger.wallet, token: 'token' } as Session;
    const { container } = render(<ClaimAll session={session} tokens={[holding, second, third]} />);
    fireEvent.click(screen.getByText('Claim all, from 2 tokens'));
    await screen.findByText(/One token pays you within minutes/);
    expect(container.textContent).toContain(`${third.symbol}: Too little to send.`);
    expect(bodies).toEqual([{ mints: [holding.mint, third.mint] }]);
  });
});

describe('the next payout of a wallet', () => {
  const snapshot = {
    runId: payment.runId,
    chainSlot: 1,
    eligible: 2,
    eligibleBalance: '1000',
    minimumHoldingRequirement: '10',
  };
  const next = { ...preview, holders: '5000', snapshot, rest: null, slot: '2026-03-02T12:00:00.000Z' };

  it('is its part of what holders get', () => {
    expect(estimate(next, '100')).toBe(500n);
    expect(estimate(next, '9')).toBe(0n);
    expect(estimate({ ...next, holders: null }, '100')).toBeNull();
    expect(estimate({ ...next, snapshot: null }, '100')).toBeNull();
    expect(estimate({ ...next, snapshot: { ...snapshot, eligibleBalance: '0' } }, '100')).toBeNull();
  });

  it('is shown as an estimate, with its time', async () => {
    service(
      at(`/distribution/${holding.mint}/preview`, { ...next, rewardToken: 'SOL', holders: '5000000000' }),
      at(`/distribution/${holding.mint}/holders/${ledger.wallet}`, { ...holder, balance: '100' }),
    );
    const { container } = render(<NextPayout wallet={ledger.wallet} holding={holding} />);
    await screen.findByText('about 0.5 SOL');
    expect(container.querySelector('time')?.dateTime).toBe(next.slot);
  });
});
