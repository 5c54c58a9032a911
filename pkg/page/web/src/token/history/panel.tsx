import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Schemas } from '../../api/client';
import { assetOf, useAssets } from '../asset';
import type { Runs } from '../runs/runs';
import { history, rewards } from './series';

type ChartProps = Parameters<typeof import('./chart').Chart>[0];

/** Fetches the chart's code when there is something to draw. */
function useChart(wanted: boolean): ComponentType<ChartProps> | null | 'failed' {
  const [chart, set] = useState<{ chart: ComponentType<ChartProps> | 'failed' } | null>(null);
  useEffect(() => {
    if (!wanted) return;
    let over = false;
    import('./chart').then(
      (m) => !over && set({ chart: m.Chart }),
      () => !over && set({ chart: 'failed' }),
    );
    return () => {
      over = true;
    };
  }, [wanted]);
  return chart?.chart ?? null;
}

/** The rewards, burns and paid holders over time, of one reward token at a time. */
export function HistoryPanel(props: { token: Schemas['Token']; runs: Runs }) {
  const { token, runs } = props;
  const all = rewards(runs.list);
  const [chosen, choose] = useState<string | null>(null);
  const reward = chosen && all.includes(chosen) ? chosen : (all[0] ?? null);
  const asset = useAssets(all, token);
  const Chart = useChart(reward !== null);
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
      {Chart === 'failed' ? (
        <p class="faint">The charts could not be fetched. The table below has the numbers.</p>
      ) : Chart ? (
        <Chart
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
