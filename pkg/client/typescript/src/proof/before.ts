/** What a run took over from the one before it. */
import { u64 } from './allocation.js';
import { quoted } from './bytes.js';
import { Fault, NoFile, Rules, Unreachable } from './fault.js';
import type { Source } from './files.js';
import { readRow, rowHeader } from './held.js';
import { SOL } from './line.js';
import { type Leg, type Manifest, readManifest } from './manifest.js';
import { checkDelayed, paidBy, secondsOf } from './next.js';
import { orderHash } from './order.js';
import type { Report } from './report.js';
import { creatorSums, percent } from './rules.js';
import { walk } from './table.js';

/** What settings promise to holders: none with a minimum of 0 and without a delay. */
export type Promised = Pick<
  Manifest['settings'],
  'minimumHoldersBps' | 'rewardToken' | 'minimumHolding' | 'changeDelay'
>;

/**
 * Holds settings to the minimum that the settings before promised to holders; see CheckPromise in
 * pkg/token/terms.
 */
export function checkPromise(now: Promised, then: Promised, r: Rules): void {
  r.hold(
    secondsOf(now.changeDelay) >= secondsOf(then.changeDelay),
    () =>
      `the settings break the delay of changes that holders were promised: changeDelay: Can only be raised: must be at least ${quoted(then.changeDelay)}.`,
  );
  if (then.minimumHoldersBps === 0n) return;
  const hold = (kept: boolean, why: () => string) =>
    r.hold(
      kept,
      () =>
        `the settings break the minimum of ${then.minimumHoldersBps} basis points that holders were promised: ${why()}`,
    );
  hold(
    now.minimumHoldersBps >= then.minimumHoldersBps,
    () => `minimumHoldersPercent: Can only be raised: must be at least ${percent(then.minimumHoldersBps)}.`,
  );
  hold(
    now.rewardToken === then.rewardToken || now.rewardToken === SOL,
    () =>
      `rewardToken: Must be "SOL" or stay ${quoted(then.rewardToken)}, because minimumHoldersPercent promises a share to holders.`,
  );
  hold(
    now.minimumHolding <= then.minimumHolding,
    () =>
      `minimumHoldingRequirement: Can only be lowered: must be at most ${then.minimumHolding}, because minimumHoldersPercent promises a share to holders.`,
  );
}

/** What a run leaves to an owner: owed, or counted as received. */
export interface Owing {
  readonly owner: string;
  readonly key: Uint8Array;
  readonly amount: bigint;
  readonly reserved: bigint;
  /** What has arrived in all. */
  readonly total: bigint;
}

/** Reads what a run leaves in an asset: what the next run begins with. */
export async function* owing(m: Manifest, source: Source, asset: string): AsyncGenerator<Owing> {
  let first = 0n;
  for (const leg of m.legs) {
    if (leg.asset !== asset) {
      first += leg.rows;
      continue;
    }
    let left = leg.rows;
    if (left === 0n) return;
    for await (const row of walk(source, m.rows, rowHeader(m), first, readRow(m))) {
      if (row.asset !== asset) throw new Fault(`a row of ${row.asset} among those of ${asset}`);
      const { owner, key, carried: amount, reserved, total } = row;
      if (amount > 0n || total > 0n) yield { owner, key, amount, reserved, total };
      if (--left === 0n) return;
    }
    throw new Fault(`${left} rows of ${asset} are missing`);
  }
}

/** Checks what the run took over from the run before, and returns that run's manifest if it holds. */
export async function runBefore(source: Source, report: Report, m: Manifest): Promise<Manifest | null> {
  if (m.previous === '') {
    await report.note('run before', () => {
      checkFirst(m);
      return 'there is none: nothing was owed';
    });
    return null;
  }
  let previous: Manifest | Fault | Unreachable;
  try {
    previous = await readManifest(source, m.previous);
  } catch (cause) {
    if (!(cause instanceof Fault || cause instanceof Unreachable)) throw cause;
    previous = cause;
  }
  if (previous instanceof NoFile) {
    report.skip('run before', 'its files are not here, so what was owed before is taken as it is said');
    return null;
  }
  const found = previous;
  const good = await report.note('run before', () => {
    if (found instanceof Error) throw found;
    checkAfter(m, found);
    return `run ${found.runId} left what this run began with`;
  });
  return good && !(found instanceof Error) ? found : null;
}

/** Nothing is owed from before when there was no run before. */
function checkFirst(m: Manifest): void {
  for (const l of m.legs) {
    if (l.sums.owed > 0n || creatorSums(l).owed > 0n || l.remainderIn > 0n)
      throw new Fault(`there was no run before, and ${l.asset} is owed or left over`);
  }
  if (m.split.unsold > 0n) throw new Fault(`there was no run before, and ${m.split.unsold} are unsold`);
}

/** The run begins with what the one before has left. */
function checkAfter(m: Manifest, previous: Manifest): void {
  const r = new Rules();
  const [then, now] = [previous.slot, m.slot];
  const earlier = then.seconds < now.seconds || (then.seconds === now.seconds && then.nanos < now.nanos);
  r.hold(
    previous.mint === m.mint && earlier,
    () => `it is run ${previous.runId} of ${previous.mint} at ${previous.slot.written}`,
  );
  r.hold(
    previous.wallet === (m.walletsBefore[0]?.wallet ?? m.wallet) && previous.creator === m.creator,
    () => `it is of the wallet ${previous.wallet}, and of the creator ${previous.creator}`,
  );
  r.hold(
    u64(previous.number + 1n) === m.number,
    () => `it is proof ${previous.number}, and this one ${m.number}`,
  );
  r.hold(
    previous.cut < m.cut && (m.kind === 'claim' || previous.cut < m.snapshot.chainSlot),
    () =>
      `its books are closed at slot ${previous.cut}, and this run has a snapshot of slot ${m.snapshot.chainSlot} and closes at slot ${m.cut}`,
  );
  r.hold(
    previous.settings.version < m.settings.version || orderHash(previous) === orderHash(m),
    () => 'the settings have changed, and their version has not',
  );
  checkPromise(m.settings, previous.settings, r);
  checkDelayed(m, paidBy(previous), r);
  r.hold(
    previous.split.unsoldAfter === m.split.unsold,
    () => `it left ${previous.split.unsoldAfter} unsold, and this run began with ${m.split.unsold}`,
  );
  const legs = new Map(m.legs.map((l) => [l.asset, l]));
  for (const l of previous.legs) {
    const taken = legs.get(l.asset);
    legs.delete(l.asset);
    const [left, took] = [creatorSums(l), creatorSums(taken)];
    const [owed, over] = [taken?.sums.owed ?? 0n, taken?.remainderIn ?? 0n];
    r.hold(
      l.sums.carried === owed && tookOver(taken, l) && l.remainderOut === over,
      () =>
        `it left ${l.sums.carried} ${l.asset} owed, ${left.carried} to the creator and ${l.remainderOut} over; this run began with ${owed}, ${took.owed} and ${over}, or the creator's wallets with other parts of it`,
    );
  }
  for (const l of legs.values())
    r.hold(
      l.sums.owed === 0n && creatorSums(l).owed === 0n && l.remainderIn === 0n,
      () => `it left nothing of ${l.asset}, and this run began with some`,
    );
  for (const before of previous.statements)
    for (const after of m.statements)
      r.hold(
        before.asset !== after.asset || after.opening === (m.walletsBefore.length > 0 ? 0n : before.closing),
        () => `it closed with ${before.closing} ${after.asset}, and this run opened with ${after.opening}`,
      );
  r.end();
}

/**
 * Whether each of the creator's wallets begins with what the run before has left to it, and the
 * first with what was left to wallets that are the creator's no more. What is reserved may be
 * counted apart.
 */
function tookOver(now: Leg | undefined, before: Leg): boolean {
  if (before.creators.length > 10) return false; // so that the sums below are few
  const creators = now?.creators ?? [];
  // The asset is no more: nothing may be owed in it.
  if (creators.length === 0) return before.creators.every((left) => left.carried === left.reserved);
  const can = creators.map(() => new Set([0n]));
  for (const left of before.creators) {
    const at = Math.max(
      0,
      creators.findIndex((c) => c.wallet === left.wallet),
    );
    const sums = [...(can[at] ?? [])];
    can[at] = new Set(
      sums.flatMap((sum) => [u64(sum + left.carried), u64(sum + left.carried - left.reserved)]),
    );
  }
  return creators.every((c, i) => can[i]?.has(c.owed));
}
