import { useState } from 'preact/hooks';
import type { Schemas } from '../../api/client';
import { assetOf, useAssets } from '../asset';
import { useLater } from '../later';
import type { Runs } from '../runs/runs';
import { history, rewards } from './series';

/** The rewards, burns and paid holders over time, of one reward token at a time. */
export function HistoryPanel(props: { token: Schemas['Token']; runs: Runs }) {
  const { token, runs } = props;
  const all = rewards(runs.list);
  const [chosen, choose] = useState<string | null>(null);
  const reward = chosen && all.includes(chosen) ? chosen : (all[0] ?? null);
  const asset = useAssets(all, token);
  const later = useLater(reward !== null, () => import('./chart'));
  if (reward === null) return null;
  return (
    <div class="history-box">
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
      {later === 'failed' ? (
        <p class="faint">The charts could not be fetched. The table below has the numbers.</p>
      ) : later ? (
        <later.Chart
          runs={history(runs.list, reward)}
          own={assetOf(token.mintAddress, token)}
          reward={asset(reward)}
        />
      ) : (
        <p class="faint">Loading the charts …</p>
      )}
    </div>
  );
}
