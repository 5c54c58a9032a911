import type { Schemas } from 'tokenlaunch/api';
import { config } from '../config';
import { Out } from './parts';

type Token = Pick<
  Schemas['Token'],
  'status' | 'mintAddress' | 'symbol' | 'launchpad' | 'pools' | 'otherPools' | 'settings'
>;

/** Where a token is bought and sold. */
export interface Market {
  /** Trading on this page, on the curve. */
  readonly here: boolean;
  /** Addresses of sites that trade in the token's pools; only on mainnet. */
  readonly sites: readonly (readonly [name: string, href: string])[];
  /** The sentence for a token without a market, or whose pools this page cannot trade in; null otherwise. */
  readonly note: string | null;
}

/**
 * Returns where a token trades. Jupiter routes to the pools of all programs here. Raydium trades in
 * its own pools only.
 */
export function marketOf(token: Token, network: string): Market {
  const here = token.launchpad !== null && token.launchpad.status !== 'cancelled';
  const pools = [...token.pools, ...token.otherPools];
  const sites: (readonly [string, string])[] = [];
  if (network === 'mainnet' && pools.length > 0) {
    sites.push(['Jupiter', `https://jup.ag/swap/SOL-${token.mintAddress}`]);
    if (pools.some((pool) => pool.kind === 'raydium-cpmm'))
      sites.push(['Raydium', `https://raydium.io/swap/?inputMint=sol&outputMint=${token.mintAddress}`]);
  }
  if (here || sites.length > 0) return { here, sites, note: null };
  if (pools.length > 0)
    return { here, sites, note: 'It trades in a pool of the test network, listed further down.' };
  const waits =
    token.settings.rewardToken === token.mintAddress
      ? ''
      : ' While there is none, its tax cannot be sold, so it waits, and holders are paid nothing.';
  return { here, sites, note: `There is no market for ${token.symbol} yet.${waits}` };
}

/** The way to buy and sell, in the first screen of the token's page. */
export function MarketLine(props: { token: Token }) {
  const { token } = props;
  if (token.status !== 'confirmed') return null;
  const { here, sites, note } = marketOf(token, config.network);
  if (note) return <p class="remark">{note}</p>;
  return (
    <p>
      {here ? <a href="#curve">Buy or sell on the curve</a> : null}
      {sites.map(([name, href]) => (
        <span key={name}>
          {' '}
          <Out href={href}>Trade on {name}</Out>
        </span>
      ))}
    </p>
  );
}
