/** The data of a chart of candles. Drawing needs no exact numbers; readable numbers are exact. */
import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../../api/client';
import { count } from '../../ui/amount';
import { moment } from '../../ui/clock';
import { digits, lotPrice } from './price';

export type Candle = Schemas['Candle'];
export type Interval = Schemas['CandleList']['interval'];

/** The intervals, with their labels. */
export const INTERVALS: readonly (readonly [Interval, string])[] = [
  ['1m', '1 min'],
  ['5m', '5 min'],
  ['1h', '1 hour'],
  ['1d', '1 day'],
];

/** Reads the newest candles of a curve. */
export const readCandles = (mintAddress: string, interval: Interval) =>
  answer(
    api.GET('/launchpad/{mintAddress}/candles', {
      params: { path: { mintAddress }, query: { interval, limit: 100 } },
    }),
  );

const HOUR = 3_600_000;

/** Returns the interval that shows the life of a curve in a chart's width. */
export function intervalFor(createdAt: string, now: number): Interval {
  const hours = (now - Date.parse(createdAt)) / HOUR;
  return hours < 2 ? '1m' : hours < 12 ? '5m' : hours < 24 * 14 ? '1h' : '1d';
}

/** A candle in a box of 1 by 1; y increases upwards. */
export interface Drawn {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  readonly rises: boolean;
}

/** The candles, oldest first, with the prices at some heights. */
export interface Drawing {
  readonly candles: readonly Drawn[];
  /** Heights and their prices, in SOL per whole token. */
  readonly marks: readonly (readonly [number, number])[];
}

/** Free space above and below the prices, as a part of the height. */
const MARGIN = 0.06;
const MARKS = [0, 1 / 3, 2 / 3, 1];

export function drawing(candles: readonly Candle[]): Drawing {
  const low = Math.min(...candles.map((c) => Number(c.low)));
  const high = Math.max(...candles.map((c) => Number(c.high)));
  // A constant price is in the middle.
  const [from, over] = high > low ? [low, high - low] : [low - 1, 2];
  const y = (price: number) => MARGIN + (1 - 2 * MARGIN) * ((price - from) / over);
  const most = Math.max(...candles.map((c) => Number(c.volume)), Number.MIN_VALUE);
  return {
    candles: candles.map((c) => ({
      open: y(Number(c.open)),
      high: y(Number(c.high)),
      low: y(Number(c.low)),
      close: y(Number(c.close)),
      volume: Number(c.volume) / most,
      rises: Number(c.close) >= Number(c.open),
    })),
    marks:
      high > low ? MARKS.map((part) => [y(low + part * over), low + part * over] as const) : [[y(low), low]],
  };
}

/** Describes a candle in a sentence. Prices are for a number of tokens, a power of ten. */
export function told(candle: Candle, zeros: number): string {
  const price = (text: string) => lotPrice(text, zeros, 4);
  const trades = candle.trades === 1 ? '1 trade' : `${count(candle.trades)} trades`;
  return `${moment(candle.time)}: from ${price(candle.open)} to ${price(candle.close)} SOL, between ${price(candle.low)} and ${price(candle.high)}, ${trades} of ${digits(candle.volume, 4)} SOL`;
}

/**
 * Returns the change of the price in the last 24 hours, such as "+12.3%"; null without a price from
 * that time. `candles` are those of an hour, newest first.
 */
export function change(
  candles: readonly Pick<Candle, 'time' | 'open' | 'close'>[],
  now: number,
): string | null {
  const [newest] = candles;
  // Without trades the price stays, so the last candle before the day has the day's first price.
  const before = candles.find(({ time }) => Date.parse(time) + HOUR <= now - 24 * HOUR);
  const first = before?.close ?? candles.at(-1)?.open;
  if (!newest || !first) return null;
  const [from, to] = [Number(first), Number(newest.close)];
  if (!(from > 0)) return null;
  const percent = ((to - from) / from) * 100;
  return `${percent >= 0.05 ? '+' : ''}${percent.toFixed(1).replace(/^-0\.0$/, '0.0')}%`;
}
