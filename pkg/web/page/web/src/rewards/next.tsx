import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../api/client';
import { useLoad } from '../api/load';
import { brief, useAssets } from '../token/asset';
import { moment } from '../ui/clock';
import type { Holding } from './row';

/**
 * Returns a wallet's part of the next distribution, in base units of its reward, with the balances of
 * the last snapshot; null if it is not known.
 */
export function estimate(next: Schemas['RunPreview'], balance: string): bigint | null {
  if (next.holders === null || next.snapshot === null) return null;
  const eligible = BigInt(next.snapshot.eligibleBalance);
  if (eligible === 0n) return null;
  if (BigInt(balance) < BigInt(next.snapshot.minimumHoldingRequirement)) return 0n;
  return (BigInt(next.holders) * BigInt(balance)) / eligible;
}

/** The wallet's next payout from a token, estimated. Shows nothing if it is not known. */
export function NextPayout(props: { wallet: string; holding: Holding }) {
  const { wallet, holding } = props;
  const path = { tokenId: holding.mint };
  const load = useLoad(holding.lastRun ? `next payout ${wallet} ${holding.mint}` : null, async () => {
    const [next, held] = await Promise.all([
      answer(api.GET('/distribution/{tokenId}/preview', { params: { path } })),
      answer(api.GET('/distribution/{tokenId}/holders/{wallet}', { params: { path: { ...path, wallet } } })),
    ]);
    return { next, units: estimate(next, held.balance) };
  });
  const asset = useAssets([load.data?.next.rewardToken ?? 'SOL'], {
    mintAddress: holding.mint,
    symbol: holding.symbol,
    decimals: holding.decimals,
  });
  if (!load.data) return null;
  const { next, units } = load.data;
  if (!next.slot) return <p>Distributions are paused by the creator.</p>;
  return (
    <p>
      {units === null || next.rest ? (
        'The next payout is not known yet. '
      ) : (
        <>
          Next payout: <strong>about {brief(asset(next.rewardToken), units)}</strong>, with the balances of
          the last distribution.{' '}
        </>
      )}
      Due <time dateTime={next.slot}>{moment(next.slot)}</time>.
    </p>
  );
}
