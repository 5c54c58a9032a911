import { useEffect, useRef, useState } from 'preact/hooks';
import { count } from '../../ui/amount';
import { moment } from '../../ui/clock';
import { type Asset, brief } from '../asset';
import { useWidth } from '../width';
import { type Plot, plot } from './plot';
import { type Bar, bars, columns, type History } from './series';

/** Heights of the large chart and the two small charts, and of the gaps, in pixels. */
const LARGE = 190;
const SMALL = 130;
const GAP = 24;
/** From this width on the small charts are side by side. */
const WIDE = 640;
/** Pixels of a bar and its space. With less space, neighbours share a bar. */
const BAR = 7;

/** Redraws when the device or the switch changes the colour scheme. */
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

/** Describes a bar in a sentence. */
export function told(bar: Bar, own: Asset, reward: Asset): string {
  const holders = `${count(bar.paidHolders)} ${bar.paidHolders === 1 ? 'holder' : 'holders'}`;
  const [paid, burned] = [brief(reward, bar.holdersPaid), brief(own, bar.burned)];
  return bar.count === 1
    ? `${moment(bar.from)}: ${paid} to ${holders}, ${burned} burned`
    : `${moment(bar.from)} to ${moment(bar.to)}, ${bar.count} distributions: ${paid} to up to ${holders}, ${burned} burned`;
}

/**
 * Three charts over the same times, with a common cursor. The slider below moves the cursor by
 * keyboard and touch, and reads out the values. The table of distributions has all values.
 */
export function Chart(props: { runs: History; own: Asset; reward: Asset }) {
  const { runs, own, reward } = props;
  const [box, width] = useWidth<HTMLDivElement>();
  const hosts = useRef<(HTMLDivElement | null)[]>([]);
  const plots = useRef<readonly Plot[]>([]);
  const [at, setAt] = useState<number | null>(null);
  const scheme = useScheme();
  const wide = width >= WIDE;
  const small = wide ? Math.floor((width - GAP) / 2) : width;
  const shownBars = bars(runs, Math.floor(small / BAR));
  const key = runs.map((r) => r.id).join();
  useEffect(() => {
    const [x, ...series] = columns(shownBars, reward.decimals ?? 0, own.decimals ?? 0);
    const fills = ['--flow-holders', '--flow-burn', '--flow-sell'];
    plots.current = hosts.current.map((host, i) =>
      plot(
        host as HTMLDivElement,
        { width: i === 0 ? width : small, height: i === 0 ? LARGE : SMALL },
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
  }, [key, scheme, reward.decimals, width]);
  const last = shownBars.length - 1;
  const shown = Math.min(at ?? last, last);
  useEffect(() => {
    for (const p of plots.current) p.point(shown);
  }, [shown, key, width, scheme]);
  const bar = shownBars[shown];
  const text = bar ? told(bar, own, reward) : '';
  const names = [
    `${reward.name} to holders`,
    `${own.name} burned`,
    runs.length > shownBars.length ? 'Holders paid, at most' : 'Holders paid',
  ];
  return (
    <div class="history" ref={box}>
      <div class="plots">
        {names.map((name, i) => (
          <figure key={name} class={i === 0 || !wide ? 'large' : ''}>
            <figcaption>{name}</figcaption>
            <div
              class="plot"
              style={{ minHeight: `${i === 0 ? LARGE : SMALL}px` }}
              ref={(element) => {
                hosts.current[i] = element;
              }}
              aria-hidden="true"
            />
          </figure>
        ))}
      </div>
      <p class="readout">{text}</p>
      <label class="cursor">
        <span class="hidden">Distribution in the charts</span>
        <input
          type="range"
          min={0}
          max={last}
          step={1}
          value={shown}
          disabled={last < 1}
          aria-valuetext={text}
          onInput={(e) => setAt(Number(e.currentTarget.value))}
        />
      </label>
    </div>
  );
}
