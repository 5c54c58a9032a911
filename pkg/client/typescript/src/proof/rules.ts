/** What follows from the manifest alone, recomputed without its lists. */
import { creatorPart, creatorsParts, FULL, split, u64 } from './allocation.js';
import { isAddress, quoted } from './bytes.js';
import { associated, runId } from './derive.js';
import { Rules } from './fault.js';
import { checkHeld } from './held.js';
import { isReason, parseAsset, SOL, ZERO } from './line.js';
import {
  type CreatorShare,
  type CreatorSplit,
  creatorsOf,
  isDistribution,
  type Leg,
  type Manifest,
  ownReward,
  rewardOf,
  type Settings,
  sellBpsOf,
} from './manifest.js';
import { checkNext } from './next.js';
import { checkStatement, type Name, of } from './statement.js';

/** Any number of minutes, hours or days: a proof may have an interval that is newer than this code. */
const INTERVAL = /^[1-9][0-9]{0,3}[mhd]$/;
/** Basis points as a percentage: 250 is 2.5. */
export const percent = (bps: bigint): string =>
  `${bps / 100n}.${String(bps % 100n).padStart(2, '0')}`.replace(/\.?0+$/, '') || '0';
/** The version of the settings of a launch. */
export const LAUNCHED = 1n;

/** The run's id is that of its token and slot, and the settings are valid. */
export function checkRun(m: Manifest): void {
  const r = new Rules();
  const want = runId(m.mint, m.slot.seconds);
  r.hold(
    m.runId === want,
    () => `the run of ${m.mint} at ${m.slot.written} is ${want}, not ${quoted(m.runId)}`,
  );
  r.try(() =>
    r.hold(
      associated(m.wallet, m.mint, m.program) === m.tokenAccount,
      () => `${m.tokenAccount} is not the account of ${m.wallet} for the token`,
    ),
  );
  checkSettings(m.settings, r);
  checkNext(m, checkSettings, r);
  r.hold(isDistribution(m) || m.kind === 'claim', () => `${quoted(m.kind)} is no kind of run`);
  r.hold(
    m.number > 0n && (m.number === 1n) === (m.previous === ''),
    () => `it is number ${m.number}, and the run before is ${quoted(m.previous)}`,
  );
  r.hold(m.settings.version >= LAUNCHED, () => `the settings have the version ${m.settings.version}`);
  r.hold(
    m.cut > 0n && m.cut >= m.snapshot.chainSlot,
    () => `the books are closed at slot ${m.cut}, and the snapshot is of slot ${m.snapshot.chainSlot}`,
  );
  r.hold(m.creator !== ZERO, () => 'the token has no creator');
  r.hold(
    m.kind !== 'claim' || (waits(m.split) && [m.exchange, m.snapshot].every(isZero)),
    () => 'a claim sells, burns and shares out nothing',
  );
  r.end();
}

/** The settings are valid. */
function checkSettings(s: Settings, r: Rules): void {
  const bps = (value: bigint, least: bigint) => value >= least && value <= FULL;
  r.hold(INTERVAL.test(s.interval), () => `the interval ${quoted(s.interval)} is none`);
  r.hold(bps(s.sellBps, 100n), () => `a run cannot take ${s.sellBps} basis points`);
  r.hold(bps(s.burnBps, 0n), () => `a run cannot burn ${s.burnBps} basis points`);
  r.hold(bps(s.developerFeeBps, 0n), () => `the creator cannot have ${s.developerFeeBps} basis points`);
  r.hold(
    !bps(s.burnBps, 0n) || !bps(s.developerFeeBps, 0n) || s.burnBps + s.developerFeeBps <= FULL,
    () => `${s.burnBps} basis points to burn and ${s.developerFeeBps} for the creator are more than all`,
  );
  const promised = bps(s.minimumHoldersBps, 0n);
  r.hold(promised, () => 'the setting minimumHoldersPercent: Must be a percentage from 0 to 100.');
  r.hold(
    !promised || FULL - s.burnBps - s.developerFeeBps >= s.minimumHoldersBps,
    () =>
      `the setting developerFeePercent: burnPercent and developerFeePercent together must be at most ${percent(FULL - s.minimumHoldersBps)}, because minimumHoldersPercent promises ${percent(s.minimumHoldersBps)} percent to holders.`,
  );
  r.hold(s.developerWallet !== ZERO, () => 'the creator has no wallet');
  checkSplits(s.creatorSplits, r);
  r.hold(
    s.rewardBasis === '' || s.rewardBasis === 'held',
    () => 'the setting rewardBasis: Must be "snapshot" or "held".',
  );
  r.hold(
    s.rewardToken === SOL || isAddress(s.rewardToken),
    () => `the reward ${quoted(s.rewardToken)} is neither SOL nor a mint`,
  );
  r.hold(
    s.changeDelay === '' || INTERVAL.test(s.changeDelay),
    () => 'the setting changeDelay: Must be "none", "24h" or "7d".',
  );
}

/** Two to ten different wallets share what the creator gets, and their parts are all of it. */
function checkSplits(splits: readonly CreatorSplit[], r: Rules): void {
  if (splits.length === 0) return;
  r.hold(
    splits.length >= 2 && splits.length <= 10,
    () => `${splits.length} wallets share what the creator gets`,
  );
  for (const one of splits)
    r.hold(
      one.wallet !== ZERO && one.partBps > 0n && one.partBps < FULL,
      () => `${one.wallet} has ${one.partBps} parts of 10000 of what the creator gets`,
    );
  const sum = splits.reduce((all, one) => all + one.partBps, 0n);
  r.hold(
    sum === FULL,
    () =>
      `the setting creatorSplits: The percentages must add up to 100; these are ${sum / 100n}.${String(sum % 100n).padStart(2, '0')}.`,
  );
  r.hold(
    new Set(splits.map((one) => one.wallet)).size === splits.length,
    () => 'a wallet of the creator has two parts',
  );
}

/** Whether all numbers of an object are zero, and those of the objects in it. */
function isZero(part: object): boolean {
  return Object.values(part).every((value) =>
    typeof value === 'object' ? value === null || isZero(value) : value === 0n,
  );
}

/** Whether what is unsold waits, and there is nothing else. */
const waits = (s: Manifest['split']): boolean =>
  s.spendable === s.unsold && s.burned === 0n && s.unsoldAfter === s.unsold;

/** Balances and withheld tax are the supply. */
export function checkSnapshot(m: Manifest): void {
  const r = new Rules();
  const s = m.snapshot;
  const all = s.eligible.balance + s.leftOut.balance + s.withheldInAccounts + s.withheldOnMint;
  r.hold(all === s.supply, () => `the balances and the tax withheld are not the supply of ${s.supply}`);
  r.hold(
    s.eligible.owners > 0n === s.eligible.balance > 0n,
    () => `${s.eligible.owners} owners share with ${s.eligible.balance} together`,
  );
  r.hold(s.chainSlot > 0n === isDistribution(m), () => `the snapshot is of slot ${s.chainSlot}`);
  checkHeld(m, r);
  r.hold(
    s.leftOut.owners === m.leftOut.lines,
    () => `${s.leftOut.owners} owners are left out, and ${m.leftOut.lines} are listed`,
  );
  r.end();
}

/** The tokens were divided as the settings say, and each was burned, sold, kept, or waits. */
export function checkSplit(m: Manifest): void {
  const r = new Rules();
  const { split: s, exchange: sale } = m;
  const want = split(s.spendable, s.unsold, sellBpsOf(m), m.settings.burnBps);
  r.hold(
    s.unsold <= s.spendable && s.slice === want.slice && s.burn === want.burn && s.sell === want.sell,
    () =>
      `of ${s.spendable}, with ${s.unsold} unsold, a run takes ${want.slice}, burns ${want.burn} and sells ${want.sell}, not ${s.slice}, ${s.burn} and ${s.sell}`,
  );
  let kept = 0n;
  if (ownReward(m)) {
    r.hold(sale.sold === 0n, () => `${sale.sold} were sold for the token itself`);
    kept = sale.proceeds;
  } else {
    r.hold(sale.sold > 0n || sale.proceeds === 0n, () => `nothing was sold, and brought ${sale.proceeds}`);
  }
  r.hold(
    sale.fuelSold > 0n || sale.fuel === 0n,
    () => `nothing was sold for costs, and brought ${sale.fuel}`,
  );
  const used = sale.sold + sale.fuelSold + kept;
  const taken = s.burned === s.burn && used + s.unsoldAfter === s.sell;
  const postponed = s.burned === 0n && used === 0n && s.unsoldAfter === s.unsold;
  r.hold(
    taken || postponed,
    () =>
      `of ${s.burn} to burn and ${s.sell} to sell, ${s.burned} were burned, ${sale.sold} sold, ${sale.fuelSold} sold for costs, ${kept} kept, and ${s.unsoldAfter} wait`,
  );
  r.end();
}

/** Proceeds were divided between creator and holders, and the columns add up. */
export function checkLegs(m: Manifest): void {
  const r = new Rules();
  r.hold(m.legs.length > 0, () => 'there is no leg');
  const seen = new Set<string>();
  let rows = 0n;
  for (const [i, l] of m.legs.entries()) {
    r.hold(
      isAsset(l.asset) && !seen.has(l.asset),
      () => `leg ${i} is of ${quoted(l.asset)}, no asset or paid twice`,
    );
    seen.add(l.asset);
    rows = u64(rows + l.rows);
    r.hold(
      l.asset === SOL ? l.program === '' && l.decimals === 9n : isAddress(l.program) && l.program !== ZERO,
      () => `leg ${i}: ${l.asset} with ${l.decimals} decimals is not of the program ${quoted(l.program)}`,
    );
    checkDivision(m, l, i === 0, r);
    checkSums(l, r);
  }
  r.hold(rows === m.rows.lines, () => `the legs have ${rows} rows, and ${m.rows.lines} are listed`);
  r.end();
}

function isAsset(text: string): boolean {
  return text === SOL || (isAddress(text) && parseAsset(text) === text);
}

function checkDivision(m: Manifest, l: Leg, first: boolean, r: Rules): void {
  const proceeds = first ? m.exchange.proceeds : 0n;
  const eligible = first ? m.snapshot.eligible.balance : 0n;
  const share = creatorPart(proceeds, m.settings.burnBps, m.settings.developerFeeBps);
  checkCreators(m, l, share, r);
  if (first) {
    r.hold(l.asset === rewardOf(m), () => `the first leg is of ${l.asset}, and the reward is ${rewardOf(m)}`);
    r.hold(
      l.total + share === proceeds + l.remainderIn,
      () =>
        `${proceeds} ${l.asset} and ${l.remainderIn} left over, less the creator's ${share}, are not the ${l.total} that were shared out`,
    );
    r.hold(
      l.total === l.sums.share + l.remainderOut,
      () => `of ${l.total} ${l.asset}, the shares are ${l.sums.share}, and ${l.remainderOut} are left over`,
    );
  } else {
    r.hold(
      l.total === 0n && l.sums.share === 0n && l.remainderOut === l.remainderIn,
      () => `something of the arrears in ${l.asset} was shared out`,
    );
  }
  r.hold(
    l.sums.balance === eligible,
    () => `the balances of ${l.asset}'s leg are ${l.sums.balance}, not ${eligible}`,
  );
}

function checkSums(l: Leg, r: Rules): void {
  const { sums: s } = l;
  r.hold(
    s.owed + s.share === s.paid + s.charged + s.carried,
    () =>
      `owed ${s.owed} and shares ${s.share} of ${l.asset} are not paid ${s.paid}, charged ${s.charged} and carried ${s.carried}`,
  );
  r.hold(
    s.received <= s.paid && s.reserved <= s.carried,
    () => `more ${l.asset} arrived than was sent, or is reserved than carried`,
  );
}

/**
 * The creator's share is divided among the wallets of the settings, in their order and by their
 * parts, each rounded down, and what is left over is the first one's; and each line adds up.
 */
function checkCreators(m: Manifest, l: Leg, share: bigint, r: Rules): void {
  const creators = creatorsOf(m);
  r.hold(
    l.creators.length === creators.length,
    () =>
      `leg ${l.asset} has ${l.creators.length} wallets of the creator's, and the settings ${creators.length}`,
  );
  const shares = creatorsParts(
    share,
    creators.map((c) => c.partBps),
  );
  for (const [i, c] of l.creators.entries()) {
    const of = creators[i];
    if (of) {
      r.hold(
        c.wallet === of.wallet,
        () => `the creator is paid at another wallet than ${of.wallet}: at ${c.wallet}`,
      );
      r.hold(
        c.partBps === of.partBps,
        () =>
          `the creator's wallet ${c.wallet} has ${c.partBps} parts of 10000, and the settings say ${of.partBps}`,
      );
      r.hold(
        c.share === shares[i],
        () => `${c.wallet} gets ${c.share} of the creator's ${share} ${l.asset}, not ${shares[i]}`,
      );
    }
    checkCreator(l, c, r);
  }
  const together = l.creators.reduce((sum, c) => sum + c.paid + c.carried, 0n);
  r.hold(together === u64(together), () => `the creator's lines of ${l.asset} exceed 64 bits together`);
}

function checkCreator(l: Leg, c: CreatorShare, r: Rules): void {
  r.hold(
    c.owed + c.share === c.paid + c.carried,
    () =>
      `the creator's owed ${c.owed} and share ${c.share} of ${l.asset} are not paid ${c.paid} and carried ${c.carried}`,
  );
  r.hold(
    c.received <= c.paid && c.reserved <= c.carried,
    () => `more ${l.asset} arrived at the creator's than was sent, or is reserved than carried`,
  );
  r.hold(
    c.carried > 0n ? isReason(c.reason) : c.reason === '',
    () => `${c.carried} ${l.asset} of the creator's are carried because of ${quoted(c.reason)}`,
  );
  r.hold(
    c.paid > 0n === (c.signature !== ''),
    () => `the creator's payment of ${c.paid} ${l.asset} has the signature ${quoted(c.signature)}`,
  );
}

/** What the lines of the creator's wallets add up to, column by column, in 64 bits; of no leg, zeros. */
export interface CreatorSums {
  readonly share: bigint;
  readonly owed: bigint;
  readonly paid: bigint;
  readonly received: bigint;
  readonly carried: bigint;
  readonly reserved: bigint;
}

/** Adds the lines of the creator's wallets up; checkCreators sees that they have 64 bits together. */
export function creatorSums(l: Leg | undefined): CreatorSums {
  const sum = (column: keyof CreatorSums) => u64((l?.creators ?? []).reduce((n, c) => n + c[column], 0n));
  return {
    share: sum('share'),
    owed: sum('owed'),
    paid: sum('paid'),
    received: sum('received'),
    carried: sum('carried'),
    reserved: sum('reserved'),
  };
}

/** Nothing is lost of the token, of SOL, and of each asset that is paid; all of it in this run. */
export function checkStatements(m: Manifest): void {
  const r = new Rules();
  const legs = new Map(m.legs.map((l) => [l.asset, l]));
  const want = new Set([m.mint, SOL, ...legs.keys()]);
  for (const s of m.statements) {
    r.hold(want.delete(s.asset), () => `there is a statement of ${quoted(s.asset)} too much`);
    r.try(() => checkStatement(s));
    const leg = legs.get(s.asset);
    // What was sent, perhaps, may be gone.
    const reserved = u64((leg?.sums.reserved ?? 0n) + creatorSums(leg).reserved);
    r.hold(
      of(s, 'reserved') <= reserved,
      () => `the statement of ${s.asset} reserves ${of(s, 'reserved')}, and the rows ${reserved}`,
    );
    for (const [name, amount] of expected(m, s.asset, leg)) {
      // Runs that came to no proof did the rest.
      if (others(m, s.asset, name) && amount < of(s, name)) continue;
      r.hold(
        of(s, name) === amount,
        () => `the statement of ${s.asset} has ${name} ${of(s, name)}, and the run ${amount}`,
      );
    }
  }
  for (const asset of want) r.hold(false, () => `there is no statement of ${quoted(asset)}`);
  r.end();
}

/** Whether an entry has what runs that came to no proof did, too. */
const others = (m: Manifest, asset: string, name: Name): boolean =>
  (name === 'burned' && asset === m.mint) ||
  ((name === 'receiptsLent' || name === 'receiptsReturned') && asset === SOL);

/** Names that may not stand in a statement. */
const none = (holds: boolean, ...names: Name[]): [Name, bigint][] => (holds ? names.map((n) => [n, 0n]) : []);

/** What the rest of the manifest says of a statement's entries. */
function expected(m: Manifest, asset: string, leg: Leg | undefined): [Name, bigint][] {
  const own = asset === m.mint;
  const when = (holds: boolean, amount: bigint) => (holds ? amount : 0n);
  const creator = creatorSums(leg);
  const both = (of: (from: Leg['sums'] | CreatorSums) => bigint) =>
    u64((leg ? of(leg.sums) : 0n) + of(creator));
  return [
    ['holders', leg?.sums.received ?? 0n],
    ['creator', creator.received],
    ['taxOnSending', both((from) => from.paid - from.received)],
    ['owed', both((from) => from.carried - from.reserved)],
    ['carried', u64((leg?.remainderOut ?? 0n) + when(own, m.split.unsoldAfter))],
    ['burned', when(own, m.split.burned)],
    ['sold', when(own, m.exchange.sold)],
    ['fuelSold', when(own, m.exchange.fuelSold)],
    ['proceeds', when(asset === rewardOf(m) && !ownReward(m), m.exchange.proceeds)],
    ['fuel', when(asset === SOL, m.exchange.fuel)],
    ['receiptsLent', when(asset === SOL, m.receipts.lent)],
    ['receiptsReturned', when(asset === SOL, m.receipts.returned)],
    // Nothing else is taxed, and the network is paid in SOL.
    ...none(!own, 'collected'),
    ...none(asset !== SOL, 'fees', 'rent', 'returned'),
  ];
}
