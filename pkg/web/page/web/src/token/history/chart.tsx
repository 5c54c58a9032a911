import { useEffect, useRef, useState } from 'preact/hooks';
import { count } from '../../ui/amount';
import { moment, tickTime } from '../../ui/clock';
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

/** A chart: its name, its colour, and a value for each bar. */
export interface Figure {
  readonly name: string;
  readonly fill: string;
  readonly values: readonly number[];
}

/**
 * Bar charts over the same times, with a common cursor. The first is large. The slider below moves the
 * cursor by keyboard and touch, and reads out the values.
 */
export function Plots(props: {
  /** The names of the bars. */
  names: readonly string[];
  figures: readonly Figure[];
  /** The charts are drawn again if it changes. */
  drawn: string;
  width: number;
  /** Describes a bar. */
  told: (bar: number) => string;
  slider: string;
}) {
  const { names, figures, drawn, width } = props;
  const hosts = useRef<(HTMLDivElement | null)[]>([]);
  const plots = useRef<readonly Plot[]>([]);
  const [at, setAt] = useState<number | null>(null);
  const scheme = useScheme();
  const wide = width >= WIDE;
  const size = (i: number) => ({ width: i === 0 ? width : small(width), height: i === 0 ? LARGE : SMALL });
  useEffect(() => {
    plots.current = figures.map(({ fill, values }, i) =>
      plot(hosts.current[i] as HTMLDivElement, size(i), names, values, fill, (index) => {
        if (index !== null) setAt(index);
      }),
    );
    return () => {
      for (const p of plots.current) p.destroy();
    };
  }, [drawn, scheme, width]);
  const last = names.length - 1;
  const shown = Math.min(at ?? last, last);
  useEffect(() => {
    for (const p of plots.current) p.point(shown);
  }, [shown, drawn, width, scheme]);
  const text = last < 0 ? '' : props.told(shown);
  return (
    <>
      <div class="plots">
        {figures.map(({ name }, i) => (
          <figure key={name} class={i === 0 || !wide ? 'large' : ''}>
            <figcaption>{name}</figcaption>
            <div
              class="plot"
              style={{ minHeight: `${size(i).height}px` }}
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
        <span class="hidden">{props.slider}</span>
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
    </>
  );
}

/** The width of the small charts. */
const small = (width: number): number => (width >= WIDE ? Math.floor((width - GAP) / 2) : width);

/** The payments to holders, the burns and the number of paid holders. The table of distributions has all values. */
export function Chart(props: { runs: History; own: Asset; reward: Asset }) {
  const { runs, own, reward } = props;
  const [box, width] = useWidth<HTMLDivElement>();
  const shown = bars(runs, Math.floor(small(width) / BAR));
  const series = columns(shown, reward.decimals ?? 0, own.decimals ?? 0);
  const fills = ['--flow-holders', '--flow-burn', '--flow-sell'];
  const figures = [
    `${reward.name} to holders`,
    `${own.name} burned`,
    runs.length > shown.length ? 'Holders paid, at most' : 'Holders paid',
  ].map((name, i) => ({ name, fill: fills[i] ?? '', values: series[i] ?? [] }));
  return (
    <div class="history" ref={box}>
      <Plots
        names={shown.map((bar) => tickTime(bar.from))}
        figures={figures}
        drawn={`${runs.map((r) => r.id).join()} ${reward.decimals} ${own.decimals}`}
        width={width}
        told={(i) => told(shown[i] as Bar, own, reward)}
        slider="Distribution in the charts"
      />
    </div>
  );
}
