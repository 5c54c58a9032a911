import './page';
import { cleanup, render, screen } from '@testing-library/preact';
import type { Schemas } from 'tokenlaunch/api';
import { afterEach, describe, expect, it } from 'vitest';
import { MarketLine, marketOf } from '../../src/token/market';
import { examples } from './examples';

afterEach(cleanup);

const { token } = examples;
const bare = { ...token, launchpad: null, pools: [], otherPools: [] };
const pool = (kind: Schemas['Pool']['kind']) => ({ kind }) as Schemas['Pool'];
const curve = (status: string) => ({
  ...bare,
  launchpad: { status } as Schemas['Token']['launchpad'],
});

describe('where a token trades', () => {
  it('is on the page while there is a curve', () => {
    expect(marketOf(curve('active'), 'mainnet')).toEqual({ here: true, sites: [], note: null });
    expect(marketOf(curve('completed'), 'devnet').here).toBe(true);
    expect(marketOf(curve('cancelled'), 'mainnet').note).toContain('no market');
  });

  it('is a site that trades in its pools, on mainnet', () => {
    const sites = (kind: Schemas['Pool']['kind'], network: string) =>
      marketOf({ ...bare, otherPools: [pool(kind)] }, network).sites.map(([name]) => name);
    expect(sites('raydium-cpmm', 'mainnet')).toEqual(['Jupiter', 'Raydium']);
    expect(sites('meteora-damm-v2', 'mainnet')).toEqual(['Jupiter']);
    expect(sites('raydium-cpmm', 'devnet')).toEqual([]);
    expect(marketOf({ ...bare, pools: [pool('raydium-cpmm')] }, 'mainnet').sites[0]?.[1]).toBe(
      `https://jup.ag/swap/SOL-${token.mintAddress}`,
    );
  });

  it('is nowhere without a market, and the page shows what follows', () => {
    render(<MarketLine token={{ ...bare, settings: { ...bare.settings, rewardToken: 'SOL' } }} />);
    screen.getByText(/There is no market for .* holders are paid nothing\./);
    const own = { ...bare, settings: { ...bare.settings, rewardToken: token.mintAddress } };
    expect(marketOf(own, 'mainnet').note).toBe(`There is no market for ${token.symbol} yet.`);
  });
});
