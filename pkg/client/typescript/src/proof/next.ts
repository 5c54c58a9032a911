/** Which settings divide the tax that was withheld before a change that lowers what holders get. */
import type { Rules } from './fault.js';
import { isDistribution, type Manifest, type Settings } from './manifest.js';
import { hashOfSettings, orderHash } from './order.js';

/** What decides how good settings are for holders. */
export type Terms = Omit<Settings, 'developerWallet' | 'creatorSplits' | 'order'>;

const SECONDS = { m: 60n, h: 3_600n, d: 86_400n } as const;

/** The seconds of an interval or a delay; 0 for what is none. */
export function secondsOf(word: string): bigint {
  const [, count, unit] = /^([1-9][0-9]{0,3})([mhd])$/.exec(word) ?? [];
  return count && unit ? BigInt(count) * SECONDS[unit as keyof typeof SECONDS] : 0n;
}

/** The settings that lower what holders get, by their names in the API; see Lowered in pkg/token/terms. */
export function lowered(before: Terms, after: Terms): string {
  const less = (of: (t: Terms) => bigint) => of(after) < of(before);
  const list: readonly (readonly [string, boolean])[] = [
    ['distributionInterval', less((t) => -secondsOf(t.interval))],
    ['rewardToken', before.rewardToken !== after.rewardToken],
    ['minimumHoldingRequirement', less((t) => -t.minimumHolding)],
    ['percentageToSellPerDistribution', less((t) => t.sellBps)],
    ['burnPercent', less((t) => -t.burnBps)],
    ['developerFeePercent', less((t) => -t.developerFeeBps)],
    ['rewardBasis', before.rewardBasis !== after.rewardBasis],
    ['minimumHoldersPercent', less((t) => t.minimumHoldersBps)],
    ['changeDelay', less((t) => secondsOf(t.changeDelay))],
  ];
  return list.flatMap(([name, lowers]) => (lowers ? [name] : [])).join(', ');
}

/** What decides the settings of the run after a proof; see Paid in pkg/token/terms. */
export interface Paid<T extends Terms = Terms> {
  readonly by: T;
  /** What was in force, where the run was by earlier settings. */
  readonly next: T | null;
  /** The slot of the first distribution by the earlier settings; 0 before it. */
  readonly since: bigint;
  /** Whether nothing of the tax withheld before is left. */
  readonly done: boolean;
}

/** What a proof leaves to the run after it. */
export function paidBy(m: Manifest): Paid<Settings> {
  const { next, split, exchange } = m;
  if (!next) return { by: m.settings, next: null, since: 0n, done: false };
  const sold = exchange.sold > 0n || exchange.fuelSold > 0n || exchange.proceeds > 0n;
  const postponed = split.burned < split.burn || (!sold && split.sell > 0n);
  return {
    by: m.settings,
    next: next.settings,
    since: next.since <= m.slot.seconds ? next.since : 0n,
    done: isDistribution(m) && split.unsoldAfter === 0n && !postponed,
  };
}

/** The settings that the one in force is held to, and since when there were distributions by them. */
function due<T extends Terms>(p: Paid<T>, slot: bigint): { by: T; since: bigint } {
  if (!p.next) return { by: p.by, since: 0n };
  const over = p.since > 0n && slot >= p.since + secondsOf(p.by.changeDelay);
  return p.done || over ? { by: p.next, since: 0n } : { by: p.by, since: p.since };
}

/** Checks the settings in force of a run by earlier settings. */
export function checkNext(m: Manifest, check: (s: Settings, r: Rules) => void, r: Rules): void {
  const { next, settings } = m;
  if (!next) return;
  const { version } = next.settings;
  r.hold(
    r.holds((of) => check(next.settings, of)),
    () => `version ${version} of the settings was in force, and is not valid`,
  );
  r.hold(
    settings.changeDelay !== '' && version > settings.version && lowered(settings, next.settings) !== '',
    () =>
      `version ${version} of the settings was in force, and is no reason for a run by version ${settings.version}`,
  );
  r.hold(
    next.since <= m.slot.seconds,
    () => `the run is by earlier settings since ${next.since}, which is later than the run`,
  );
}

/**
 * Holds a run to the settings that were in force before; see delayed in pkg/proof/verify. Without `by`
 * of a whole version, any run by it is by another one.
 */
export function checkDelayed(m: Manifest, before: Paid, r: Rules): void {
  const inForce = m.next?.settings ?? m.settings;
  const { by, since } = due(before, m.slot.seconds);
  const worse = by.changeDelay === '' ? '' : lowered(by, inForce);
  if (worse === '') {
    r.hold(
      m.next === null,
      () =>
        `the run is by version ${m.settings.version} of the settings, and version ${inForce.version} was in force`,
    );
    return;
  }
  r.hold(
    'order' in by && orderHash(m) === hashOfSettings(m.mint, by as Settings),
    () =>
      `version ${inForce.version} of the settings lowers ${worse}: the tax withheld before is divided by version ${by.version}, and the run is by version ${m.settings.version}`,
  );
  if (!m.next) return;
  const named = m.next.since;
  const want = since > 0n || !isDistribution(m) ? since : m.slot.seconds;
  r.hold(named === want, () => `the run is by earlier settings since ${want}, and names ${named}`);
}
