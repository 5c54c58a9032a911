import '../token/page';
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Page } from '../../src/pages/rewards';
import { Ledger } from '../../src/rewards/ledger';
import { readLink, rewardsLink } from '../../src/rewards/link';
import { connected } from '../../src/wallet/session';
import { examples } from '../token/examples';
import { service } from '../token/service';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  history.replaceState(null, '', '/');
});

const { ledger, payments, token } = examples;
const [first] = ledger.tokens;
if (!first) throw new Error('The document shows no token of a ledger');
const path = `/holders/${ledger.wallet}`;
const other = { ...first, mint: ledger.wallet, name: 'Tidal', symbol: 'TIDE' };

describe('the rewards of a wallet', () => {
  it('says of each token what it paid, what it owes and why, page after page', async () => {
    const dollars = {
      asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      received: '0',
      owed: '2500000',
      reserved: '1000000',
      reason: { code: 'undecided', detail: 'It is not certain yet.' },
    };
    const asked = service((url) =>
      url.pathname !== path
        ? undefined
        : url.searchParams.has('cursor')
          ? { body: { ...ledger, tokens: [{ ...other, lastRun: null, arrears: [dollars] }] } }
          : { body: { ...ledger, nextCursor: 'abc' } },
    );
    const { container } = render(
      <Ledger
        wallet={ledger.wallet}
        mints={[token.mintAddress]}
        actions={(holding) => <button type="button">Claim {holding.symbol}</button>}
      />,
    );
    await screen.findByText(first.name);
    const text = () => container.textContent ?? '';
    expect(text()).toContain('0.08120034 SOL');
    expect(text()).toContain('0.000004664 SOL');
    expect(text()).toContain(first.reason?.detail ?? 'no reason');
    expect(screen.getByText(first.name).closest('a')?.getAttribute('href')).toBe(`/t/${first.mint}`);
    screen.getByText(`Claim ${first.symbol}`);
    fireEvent.click(screen.getByText('More tokens'));
    await screen.findByText('Tidal');
    expect(text()).toContain('none yet');
    expect(text()).toContain('2.5 USDC');
    expect(text()).toContain('1 USDC');
    expect(text()).toContain('It is not certain yet.');
    const query = `?mints=${token.mintAddress}`;
    expect(asked).toEqual([path + query, `${path}${query}&cursor=abc`]);
  });

  it('lists what it did not read', async () => {
    service((url) =>
      url.searchParams.has('cursor')
        ? { body: { ...ledger, tokens: [other] } }
        : { body: { ...ledger, tokens: [], complete: false, nextCursor: 'abc' } },
    );
    render(<Ledger wallet={ledger.wallet} mints={[]} />);
    await screen.findByText(/too many token accounts/);
    fireEvent.click(screen.getByText('Look further'));
    await screen.findByText('Tidal');
  });

  it('looks up the wallet of its address, and has the one that was asked for in it', async () => {
    history.replaceState(null, '', rewardsLink(ledger.wallet));
    const asked = service((url) => ({
      body: url.pathname.endsWith('/payments') ? { ...payments, payments: [] } : { ...ledger, tokens: [] },
    }));
    render(<Page />);
    await screen.findByText('This wallet holds no token that was launched here.');
    fireEvent.input(screen.getByLabelText('Wallet address'), { target: { value: ` ${token.mintAddress} ` } });
    fireEvent.click(screen.getByText('Look up'));
    const other = `/holders/${token.mintAddress}`;
    await vi.waitFor(() =>
      expect(asked).toEqual([path, `${path}/payments?limit=20`, other, `${other}/payments?limit=20`]),
    );
    expect(location.search).toBe(`?wallet=${token.mintAddress}`);
  });

  it('shows a connected wallet at once', async () => {
    const asked = service((url) =>
      url.pathname.endsWith('/payments') ? { body: payments } : { body: { ...ledger, tokens: [] } },
    );
    connected.value = { account: { address: ledger.wallet } } as typeof connected.value;
    render(<Page />);
    await screen.findByText('0.08120034 SOL');
    connected.value = null;
    expect(asked).toEqual([path, `${path}/payments?limit=20`]);
  });

  it('takes only addresses out of its own address', () => {
    expect(readLink(`?wallet=${ledger.wallet}&mints=${first.mint},x`)).toEqual({
      wallet: ledger.wallet,
      mints: [first.mint],
    });
    expect(readLink('?wallet=<script>&mints=')).toEqual({ wallet: null, mints: [] });
  });
});
