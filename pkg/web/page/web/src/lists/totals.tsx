import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../api/client';
import { useLoad } from '../api/load';
import { assetOf, brief } from '../token/asset';
import { decimal, short } from '../ui/amount';
import { moment } from '../ui/clock';

type Paid = Schemas['StatsOfAsset'];

/** Maximum number of shown assets; the API has more. */
const MOST = 3;

/** Returns an amount of an asset, without insignificant digits. */
function written(asset: Paid, units: string): string {
  const known = assetOf(asset.asset, { mintAddress: '', symbol: '', decimals: 9 });
  return brief({ ...known, decimals: asset.decimals }, units);
}

/**
 * The payments to holders, in total and in the last day, with the newest proofs. Their place is
 * empty until the response arrives, so that the lists below do not move; after a failed request
 * nothing is shown.
 */
export function Totals() {
  const { data, loading } = useLoad('stats', () => answer(api.GET('/stats')));
  const [first, ...others] = data?.assets ?? [];
  if (loading && !data) return <div class="totals" />;
  if (!data) return null;
  if (!first)
    return (
      <section class="totals" aria-labelledby="totals-title">
        <h2 id="totals-title">Paid to holders</h2>
        <p class="faint">Nothing yet. The first payout will be here, with its proof.</p>
      </section>
    );
  return (
    <section class="totals" aria-labelledby="totals-title">
      <h2 id="totals-title">Paid to holders</h2>
      <dl>
        {[first, ...others.slice(0, MOST - 1)].map((asset) => (
          <div key={asset.asset}>
            <dt>{written(asset, asset.paid)}</dt>
            <dd class="faint">{written(asset, asset.lastDay.paid)} in the last day</dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>
          {decimal(String(data.runs), 0)} proven {data.runs === 1 ? 'run' : 'runs'} of{' '}
          {decimal(String(data.tokens), 0)} {data.tokens === 1 ? 'token' : 'tokens'}: the newest proofs
        </summary>
        <ul>
          {first.proofs.map(({ runId, mintAddress, paid, settledAt }) => (
            <li key={runId}>
              <a href={`/t/${mintAddress}#run-${runId}`}>{short(mintAddress)}</a> paid {written(first, paid)}{' '}
              on {moment(settledAt)}:{' '}
              <a href={`/t/${mintAddress}#run-${runId}`} aria-label={`Proof of run ${runId}`}>
                proof
              </a>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}
