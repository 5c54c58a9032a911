import type { Schemas } from 'tokenlaunch/api';

type Run = Pick<Schemas['RunSummary'], 'rewardToken' | 'creatorPaid'>;

/** What distributions paid the creator. */
export interface Share {
  /** Sums by the reward token in which they were paid, that of the latest distribution first. */
  readonly sums: readonly (readonly [asset: string, units: bigint])[];
  readonly distributions: number;
  /** Whether there are earlier distributions that were not read. */
  readonly more: boolean;
}

/** How many distributions are on a page, and how many pages are read at most. */
const LIMIT = 100;
const PAGES = 5;

/** Adds up what distributions paid, by the reward token. */
export function sums(runs: readonly Run[]): Share['sums'] {
  const all = new Map<string, bigint>();
  for (const run of runs) {
    const units = BigInt(run.creatorPaid);
    if (units > 0n) all.set(run.rewardToken, (all.get(run.rewardToken) ?? 0n) + units);
  }
  return [...all];
}

/** Reads what the latest distributions paid the creator, 500 of them at most. */
export async function readShare(
  page: (
    limit: number,
    cursor: string | null,
  ) => Promise<{ runs: readonly Run[]; nextCursor: string | null }>,
): Promise<Share> {
  const runs: Run[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < PAGES; pages++) {
    const one: { runs: readonly Run[]; nextCursor: string | null } = await page(LIMIT, cursor);
    runs.push(...one.runs);
    cursor = one.nextCursor;
    if (cursor === null) break;
  }
  return { sums: sums(runs), distributions: runs.length, more: cursor !== null };
}
