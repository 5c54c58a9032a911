import type { Schemas } from 'tokenlaunch/api';
import { SOL_DECIMALS } from '../../ui/amount';
import { type Line, PRICE_DECIMALS, priceAt, scaled, soldAt } from './price';

/** The data of a curve's chart. */
export interface Drawing {
  /** Points from the start to the end, as parts of the whole from 0 to 1. */
  readonly points: readonly (readonly [number, number])[];
  /** The present point of the curve. */
  readonly now: readonly [number, number];
  /** The target's point. */
  readonly target: readonly [number, number];
  /** The sold base units at the target. */
  readonly soldAtTarget: bigint;
}

/** Parts are computed in millionths, and converted to numbers only for the pixels. */
const PARTS = 1_000_000n;
const COUNT = 64n;

const part = (value: bigint, whole: bigint): number =>
  whole === 0n ? 0 : Number((value * PARTS) / whole) / Number(PARTS);

type Curve = Pick<
  Schemas['Curve'],
  'totalTokens' | 'tokensSold' | 'targetMarketCap' | 'currentPrice' | 'curveParameters'
>;

/** Returns the curve's line from the API's data. */
export function lineOf(curve: Pick<Curve, 'totalTokens' | 'curveParameters'>, decimals: number): Line {
  return {
    tokens: BigInt(curve.totalTokens),
    decimals,
    start: scaled(curve.curveParameters.startPrice, PRICE_DECIMALS),
  };
}

/** Computes the drawing: the line, the present point and the target. */
export function drawing(curve: Curve, decimals: number): Drawing {
  const line = lineOf(curve, decimals);
  const soldAtTarget = soldAt(line, scaled(curve.targetMarketCap, SOL_DECIMALS));
  const sold = BigInt(curve.tokensSold);
  // A completed curve may have continued past its target.
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
