import type { Schemas } from 'tokenlaunch/api';

type Run = Pick<Schemas['RunSummary'], 'rewardToken' | 'creatorPaid'>;

/** The distributions' payments to the creator. */
export interface Share {
  /** Sums by the reward token of the payments; the latest distribution's token comes first. */
  readonly sums: readonly (readonly [asset: string, units: bigint])[];
  readonly distributions: number;
  /** Whether there are earlier, unread distributions. */
  readonly more: boolean;
}

/** The number of distributions on a page, and the maximum number of pages to read. */
const LIMIT = 100;
const PAGES = 5;

/** Returns the sums of distributions' payments, by reward token. */
export function sums(runs: readonly Run[]): Share['sums'] {
  const all = new Map<string, bigint>();
  for (const run of runs) {
    const units = BigInt(run.creatorPaid);
    if (units > 0n) all.set(run.rewardToken, (all.get(run.rewardToken) ?? 0n) + units);
  }
  return [...all];
}

/**
 * Reads the payments of at most 500 latest distributions to the creator. The service stores no sum,
 * because a stored sum would have to be reconciled with the proofs.
 */
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
