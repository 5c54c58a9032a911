import '../token/page';
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import type { Schemas } from 'tokenlaunch/api';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Claim, claimable } from '../../src/rewards/claim';
import type { Session } from '../../src/wallet/session';
import { examples } from '../token/examples';
import { service } from '../token/service';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const { ledger } = examples;
const [holding] = ledger.tokens;
if (!holding) throw new Error('The document shows no token of a ledger');
const session = { wallet: ledger.wallet, token: 'token' } as Session;
const path = `/holders/${ledger.wallet}/claims`;

/** Answers a claim of the token with this problem, and shows the button. */
function claimed(problem: Schemas['ClaimProblem'] | null): string[] {
  const asked = service((url) =>
    url.pathname === path
      ? {
          status: 202,
          body: {
            claims: [{ mint: holding?.mint, status: problem ? 'refused' : 'accepted', assets: [], problem }],
            feeLamports: '28000',
          },
        }
      : undefined,
  );
  if (holding) render(<Claim session={session} holding={holding} />);
  fireEvent.click(screen.getByRole('button', { name: `Claim now what ${holding?.name} owes you` }));
  return asked;
}

describe('a claim', () => {
  it('is ordered once, and shows what is kept of it', async () => {
    const asked = claimed(null);
    await screen.findByText(/paid within minutes, less 0\.000028 SOL/);
    expect(screen.queryByRole('button')).toBeNull();
    expect(asked).toEqual([path]);
  });

  it('shows the reason of a refusal, and can be tried again', async () => {
    claimed({ status: 400, code: 'below_cost', detail: 'Too little to send.' });
    await screen.findByText('Too little to send.');
    expect(screen.getByRole('button')).toBeTruthy();
  });

  it('is offered where something is owed that was not sent', () => {
    expect(claimable(holding)).toBe(true);
    expect(claimable({ ...holding, reserved: holding.owed })).toBe(false);
    const arrears = { asset: 'SOL', received: '0', owed: '1', reserved: '0', reason: null };
    expect(claimable({ ...holding, owed: '0', arrears: [arrears] })).toBe(true);
  });
});
