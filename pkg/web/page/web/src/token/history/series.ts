import type { Schemas } from '../../api/client';

type Run = Schemas['RunSummary'];

/** The distributions of a chart, oldest first. */
export type History = readonly Run[];

/** The reward tokens of distributions that paid something, the latest first. */
export function rewards(runs: readonly Run[]): readonly string[] {
  return [...new Set(runs.filter((r) => r.status === 'settled').map((r) => r.rewardToken))];
}

/** What is drawn: the settled distributions that were paid in a reward, oldest first. */
export function history(runs: readonly Run[], reward: string): History {
  return runs.filter((r) => r.status === 'settled' && r.rewardToken === reward).reverse();
}

/** An amount as a number of pixels' precision: nothing is reckoned with it. */
export function pixels(units: string, decimals: number): number {
  const value = BigInt(units);
  const scale = 10n ** BigInt(decimals);
  return Number(value / scale) + Number(value % scale) / Number(scale);
}

/** The columns that the chart library takes: seconds, then the three series. */
export function columns(
  h: History,
  rewardDecimals: number,
  decimals: number,
): [number[], number[], number[], number[]] {
  return [
    h.map((r) => Date.parse(r.slot) / 1000),
    h.map((r) => pixels(r.holdersPaid, rewardDecimals)),
    h.map((r) => pixels(r.burned, decimals)),
    h.map((r) => r.paidHolders),
  ];
}
