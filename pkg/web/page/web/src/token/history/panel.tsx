import { useState } from 'preact/hooks';
import type { Schemas } from 'tokenlaunch/api';
import { compact, count } from '../../ui/amount';
import { moment } from '../../ui/clock';
import { useLater } from '../../ui/fetched';
import { type Asset, assetOf, useAssets } from '../asset';
import { Figures } from '../parts';
import type { Runs } from '../runs/runs';
import { type History, history, merged, rewards } from './series';

/** The minimum number of distributions for a chart. With fewer distributions, the figures suffice. */
const CHARTED = 2;

/** The sums over the distributions. */
function Totals(props: { runs: History; own: Asset; reward: Asset }) {
  const { runs, own, reward } = props;
  const all = merged(runs);
  const figure = (a: Asset, units: bigint) => `${compact(units, a.decimals ?? 0)} ${a.name}`;
  return (
    <Figures
      rows={[
        ['Paid to holders', figure(reward, all.holdersPaid)],
        ['Burned', figure(own, all.burned)],
        ['Holders paid last time', count(runs.at(-1)?.paidHolders ?? 0)],
        [runs.length === 1 ? `Distribution, ${moment(all.from)}` : 'Distributions', String(runs.length)],
      ]}
    />
  );
}

/** The payments and burns so far: in total, and over time, for one reward token at a time. */
export function HistoryPanel(props: { token: Schemas['Token']; runs: Runs }) {
  const { token, runs } = props;
  const all = rewards(runs.items);
  const [chosen, choose] = useState<string | null>(null);
  const reward = chosen && all.includes(chosen) ? chosen : (all[0] ?? null);
  const asset = useAssets(all, token);
  const drawn = reward === null ? [] : history(runs.items, reward);
  const charted = drawn.length >= CHARTED;
  const later = useLater(charted, () => import('./chart'));
  if (reward === null) return null;
  const own = assetOf(token.mintAddress, token);
  return (
    <div class={charted ? 'history-box charted' : 'history-box'}>
      {all.length > 1 ? (
        <label class="field">
          <span>Paid in</span>
          <select value={reward} onChange={(e) => choose(e.currentTarget.value)}>
            {all.map((id) => (
              <option value={id} key={id}>
                {asset(id).name}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <Totals runs={drawn} own={own} reward={asset(reward)} />
      {runs.more ? (
        <p class="faint">
          Of the last {drawn.length} distributions.{' '}
          <button type="button" class="small plain" onClick={runs.more} disabled={runs.loadingMore}>
            {runs.loadingMore ? 'Loading …' : 'Load older'}
          </button>
        </p>
      ) : null}
      {!charted ? null : later === 'failed' ? (
        <p class="faint">The charts failed to load. The table below has the numbers.</p>
      ) : later ? (
        <later.Chart runs={drawn} own={own} reward={asset(reward)} />
      ) : (
        <p class="faint">Loading charts …</p>
      )}
    </div>
  );
}
