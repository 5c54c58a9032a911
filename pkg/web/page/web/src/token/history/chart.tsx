import { useEffect, useRef, useState } from 'preact/hooks';
import type { Schemas } from '../../api/client';
import { moment } from '../../ui/clock';
import { type Asset, brief } from '../asset';
import { useWidth } from '../width';
import { PLOT_HEIGHT, type Plot, plot } from './plot';
import { columns, type History } from './series';

/** Redraws when the scheme of colours changes, by the device or by the switch. */
function useScheme(): number {
  const [round, set] = useState(0);
  useEffect(() => {
    const again = () => set((n) => n + 1);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', again);
    const watch = new MutationObserver(again);
    watch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    return () => {
      dark.removeEventListener('change', again);
      watch.disconnect();
    };
  }, []);
  return round;
}

/** What one distribution came to, in a sentence. */
export function told(run: Schemas['RunSummary'], own: Asset, reward: Asset): string {
  return (
    `${moment(run.slot)}: ${brief(reward, run.holdersPaid)} to ${run.paidHolders} ` +
    `${run.paidHolders === 1 ? 'holder' : 'holders'}, ${brief(own, run.burned)} burned`
  );
}

/**
 * Three small charts over the same times, with one cursor. The slider below moves it by
 * keyboard and touch, and says the values; the table of distributions has them all.
 */
export function Chart(props: { runs: History; own: Asset; reward: Asset }) {
  const { runs, own, reward } = props;
  const [box, width] = useWidth<HTMLDivElement>();
  const hosts = useRef<(HTMLDivElement | null)[]>([]);
  const plots = useRef<readonly Plot[]>([]);
  const [at, setAt] = useState<number | null>(null);
  const scheme = useScheme();
  const key = runs.map((r) => r.id).join();
  useEffect(() => {
    const [x, ...series] = columns(runs, reward.decimals ?? 0, own.decimals ?? 0);
    const fills = ['--flow-holders', '--flow-burn', '--accent'];
    plots.current = hosts.current.map((host, i) =>
      plot(
        host as HTMLDivElement,
        box.current?.clientWidth || width,
        x,
        series[i] ?? [],
        fills[i] ?? '',
        (index) => {
          if (index !== null) setAt(index);
        },
      ),
    );
    return () => {
      for (const p of plots.current) p.destroy();
    };
  }, [key, scheme, reward.decimals]);
  useEffect(() => {
    for (const p of plots.current) p.resize(width);
  }, [width]);
  const shown = Math.min(at ?? runs.length - 1, runs.length - 1);
  useEffect(() => {
    for (const p of plots.current) p.point(shown);
  }, [shown, key, width, scheme]);
  const run = runs[shown];
  const names = [`${reward.name} to holders`, `${own.name} burned`, 'Holders paid'];
  return (
    <div class="history" ref={box}>
      {names.map((name, i) => (
        <figure key={name}>
          <figcaption>{name}</figcaption>
          <div
            class="plot"
            style={{ minHeight: `${PLOT_HEIGHT}px` }}
            ref={(element) => {
              hosts.current[i] = element;
            }}
            aria-hidden="true"
          />
        </figure>
      ))}
      <label class="cursor">
        <span>Distribution in the charts</span>
        <input
          type="range"
          min={0}
          max={runs.length - 1}
          step={1}
          value={shown}
          disabled={runs.length < 2}
          aria-valuetext={run ? told(run, own, reward) : undefined}
          onInput={(e) => setAt(Number(e.currentTarget.value))}
        />
      </label>
      <p class="readout">{run ? told(run, own, reward) : ''}</p>
    </div>
  );
}
