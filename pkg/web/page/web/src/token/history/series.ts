import type { Schemas } from 'tokenlaunch/api';

type Run = Schemas['RunSummary'];

/** The distributions of a chart, oldest first. */
export type History = readonly Run[];

/** The data of a bar: a distribution, or neighbours that share a bar. */
export interface Bar {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly holdersPaid: bigint;
  readonly burned: bigint;
  /** The maximum number of paid holders in a distribution of the bar. */
  readonly paidHolders: number;
}

/** Returns the reward tokens of settled distributions, latest first. */
export function rewards(runs: readonly Run[]): readonly string[] {
  return [...new Set(runs.filter((r) => r.status === 'settled').map((r) => r.rewardToken))];
}

/** Returns the drawn distributions: settled distributions with the reward, oldest first. */
export function history(runs: readonly Run[], reward: string): History {
  return runs.filter((r) => r.status === 'settled' && r.rewardToken === reward).reverse();
}

/** Merges distributions into a bar, with the sums of amounts. */
export function merged(h: History): Bar {
  const sum = (of: (r: Run) => string) => h.reduce((all, r) => all + BigInt(of(r)), 0n);
  return {
    from: h[0]?.scheduledAt ?? '',
    to: h.at(-1)?.scheduledAt ?? '',
    count: h.length,
    holdersPaid: sum((r) => r.holdersPaid),
    burned: sum((r) => r.burned),
    paidHolders: Math.max(0, ...h.map((r) => r.paidHolders)),
  };
}

/** Returns at most `most` bars, with as few neighbours in a bar as possible. The newest bar is full. */
export function bars(h: History, most: number): readonly Bar[] {
  const size = Math.max(1, Math.ceil(h.length / Math.max(1, most)));
  const out: Bar[] = [];
  for (let end = h.length; end > 0; end -= size) out.unshift(merged(h.slice(Math.max(0, end - size), end)));
  return out;
}

/** Returns an amount as a number precise enough for pixels. */
export function pixels(units: string | bigint, decimals: number): number {
  const value = BigInt(units);
  const scale = 10n ** BigInt(decimals);
  return Number(value / scale) + Number(value % scale) / Number(scale);
}

/** Returns the series of the three charts. */
export function columns(
  all: readonly Bar[],
  rewardDecimals: number,
  decimals: number,
): [number[], number[], number[]] {
  return [
    all.map((b) => pixels(b.holdersPaid, rewardDecimals)),
    all.map((b) => pixels(b.burned, decimals)),
    all.map((b) => b.paidHolders),
  ];
}
