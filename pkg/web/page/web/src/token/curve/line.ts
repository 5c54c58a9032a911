import type { Schemas } from 'tokenlaunch/api';
import { SOL_DECIMALS } from '../../ui/amount';
import { type Line, PRICE_DECIMALS, priceAt, scaled, soldAt } from './price';

/** What the chart of a curve is drawn of. */
export interface Drawing {
  /** Points from the start to the end, as parts of the whole from 0 to 1. */
  readonly points: readonly (readonly [number, number])[];
  /** Where the curve is now. */
  readonly now: readonly [number, number];
  /** Where the target is. */
  readonly target: readonly [number, number];
  /** What is sold when the target is reached, in base units. */
  readonly soldAtTarget: bigint;
}

/** Parts are computed in millionths and become numbers for the pixels alone. */
const PARTS = 1_000_000n;
const COUNT = 64n;

const part = (value: bigint, whole: bigint): number =>
  whole === 0n ? 0 : Number((value * PARTS) / whole) / Number(PARTS);

type Curve = Pick<
  Schemas['Curve'],
  'totalTokens' | 'tokensSold' | 'targetMarketCap' | 'currentPrice' | 'curveParameters'
>;

/** The curve's line out of what the API says of it. */
export function lineOf(curve: Pick<Curve, 'totalTokens' | 'curveParameters'>, decimals: number): Line {
  return {
    tokens: BigInt(curve.totalTokens),
    decimals,
    start: scaled(curve.curveParameters.startPrice, PRICE_DECIMALS),
  };
}

/** Computes what is drawn: the line, the present point and the target. */
export function drawing(curve: Curve, decimals: number): Drawing {
  const line = lineOf(curve, decimals);
  const soldAtTarget = soldAt(line, scaled(curve.targetMarketCap, SOL_DECIMALS));
  const sold = BigInt(curve.tokensSold);
  // A completed curve may have gone on: then there is more to draw than up to its target.
  const most = sold > soldAtTarget ? sold : soldAtTarget;
  const top = priceAt(line, most);
  const at = (s: bigint): readonly [number, number] => [part(s, most), part(priceAt(line, s), top)];
  return {
    points: Array.from({ length: Number(COUNT) + 1 }, (_, i) => at((most * BigInt(i)) / COUNT)),
    now: at(sold),
    target: at(soldAtTarget),
    soldAtTarget,
  };
}
