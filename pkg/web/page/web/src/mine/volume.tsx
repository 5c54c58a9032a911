import type { Schemas } from 'tokenlaunch/api';
import { useLoad } from '../api/load';
import { type Candle, readCandles } from '../token/curve/candles';
import { digits } from '../token/curve/price';
import { useWidth } from '../token/width';
import { count } from '../ui/amount';
import { utcDay } from '../ui/clock';
import { useLater } from '../ui/fetched';

/** The amount of a day. */
export interface Amount {
  /** A day in UTC, such as 2026-03-02. */
  readonly day: string;
  readonly value: number;
  readonly words: string;
}

const DAY = 86_400_000;
/** The maximum number of days in a chart. */
const DAYS = 30;

/** Returns the last days up to `today`, oldest first, from the first day with an amount. Other days have `none`. */
export function filled(amounts: readonly Amount[], today: string, none: string): readonly Amount[] {
  const byDay = new Map(amounts.map((one) => [one.day, one]));
  const end = Date.parse(today);
  const first = Math.min(end, ...amounts.map(({ day }) => Date.parse(day)));
  const from = Math.max(first, end - (DAYS - 1) * DAY);
  return Array.from({ length: (end - from) / DAY + 1 }, (_, i) => {
    const day = new Date(from + i * DAY).toISOString().slice(0, 10);
    return byDay.get(day) ?? { day, value: 0, words: none };
  });
}

/** A small chart of amounts by day. Fewer than two days have no chart. */
export function Volume(props: { caption: string; amounts: readonly Amount[]; none: string; today: string }) {
  const days = props.amounts.length > 0 ? filled(props.amounts, props.today, props.none) : [];
  return days.length > 1 ? <Days caption={props.caption} days={days} /> : null;
}

function Days(props: { caption: string; days: readonly Amount[] }) {
  const { caption, days } = props;
  const later = useLater(true, () => import('../token/history/chart'));
  const [box, width] = useWidth<HTMLDivElement>();
  return (
    <div class="history by-day" ref={box}>
      {later === 'failed' ? (
        <p class="faint">The chart failed to load.</p>
      ) : later ? (
        <later.Plots
          names={days.map(({ day }) => utcDay(day))}
          figures={[{ name: caption, fill: '--flow-sell', values: days.map(({ value }) => value) }]}
          drawn={JSON.stringify(days)}
          width={width}
          told={(i) => `${utcDay(days[i]?.day ?? '')}: ${days[i]?.words}`}
          slider={`Day in the chart: ${caption}`}
        />
      ) : (
        <p class="faint">Loading the chart …</p>
      )}
    </div>
  );
}

/** Returns the volume of a candle of a day. */
export const traded = (candle: Candle): Amount => ({
  day: candle.time.slice(0, 10),
  value: Number(candle.volume),
  words: `${digits(candle.volume, 4)} SOL in ${candle.trades === 1 ? '1 trade' : `${count(candle.trades)} trades`}`,
});

/** The volume on the token's curve by day; nothing without a curve or trades. */
export function CurveVolume(props: { token: Schemas['Token'] }) {
  const { mintAddress, launchpad } = props.token;
  const load = useLoad(launchpad ? `candles ${mintAddress} 1d` : null, () => readCandles(mintAddress, '1d'));
  return (
    <Volume
      caption="SOL traded on the curve, by day (UTC)"
      amounts={load.data?.candles.map(traded) ?? []}
      none="no trades"
      today={new Date().toISOString().slice(0, 10)}
    />
  );
}
