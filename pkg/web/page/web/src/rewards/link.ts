import { isAddress } from '../ui/address';

/**
 * Returns the link to the page with all rewards of a wallet. The token is shown even if the wallet
 * has sold the token.
 */
export function rewardsLink(wallet: string | null, mint?: string): string {
  const query = new URLSearchParams();
  if (wallet) query.set('wallet', wallet);
  if (mint) query.set('mints', mint);
  return `/rewards${query.size > 0 ? `?${query}` : ''}`;
}

/** Returns the wallet and tokens in the page's address. Invalid addresses are left out. */
export function readLink(search: string): { wallet: string | null; mints: string[] } {
  const query = new URLSearchParams(search);
  const wallet = query.get('wallet') ?? '';
  const mints = (query.get('mints') ?? '').split(',').filter(isAddress);
  return { wallet: isAddress(wallet) ? wallet : null, mints: mints.slice(0, 100) };
}
