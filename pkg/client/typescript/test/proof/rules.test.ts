import { beforeAll, describe, expect, it } from 'vitest';
import { openAnchor } from '../../src/proof/anchor.js';
import { runBefore } from '../../src/proof/before.js';
import { ZERO } from '../../src/proof/line.js';
import { type Manifest, readManifest } from '../../src/proof/manifest.js';
import { checkTransactions } from '../../src/proof/named.js';
import { Report } from '../../src/proof/report.js';
import { checkRows } from '../../src/proof/rows.js';
import { checkLegs, checkRun, checkSnapshot, checkSplit, checkStatements } from '../../src/proof/rules.js';
import { keptBundles } from './bundle.js';

const { shelf, first, second } = keptBundles();

/** A manifest whose fields a test sets. */
type Open<T> = T extends readonly (infer E)[]
  ? Open<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Open<T[K]> }
    : T;
type Change = (m: Open<Manifest>) => void;
/** The item at a place of a list. */
const at = <T>(list: readonly T[], place = 0): T => list.at(place) as T;

let runs: { first: Manifest; second: Manifest };
beforeAll(async () => {
  const read = async (cid: string) => readManifest(shelf, (await openAnchor(shelf, cid)).manifest);
  runs = { first: await read(first), second: await read(second) };
});

function changed(m: Manifest, change: Change): Manifest {
  const copy = structuredClone(m) as Open<Manifest>;
  change(copy);
  return copy as Manifest;
}

/** One wallet with these parts of what the creator gets. */
const parts = (m: Open<Manifest>, ...bps: bigint[]) =>
  bps.map((partBps) => ({ wallet: m.settings.developerWallet, partBps }));

describe('a run', () => {
  it('is good as it is', () => expect(() => checkRun(runs.second)).not.toThrow());
  it.each(['48h', '7d', '9999d', '1m'])('is good every %s, whatever the service offers', (interval) => {
    const m = structuredClone(runs.second) as Open<Manifest>;
    m.settings.interval = interval;
    expect(() => checkRun(m)).not.toThrow();
  });
  it.each<[string, Change, string]>([
    ['in no interval', (m) => (m.settings.interval = '7x'), 'the interval "7x" is none'],
    ['in an interval of zero', (m) => (m.settings.interval = '07h'), 'the interval "07h" is none'],
    ['in an interval of two lines', (m) => (m.settings.interval = '1h\n'), 'the interval "1h'],
    ['that takes too little', (m) => (m.settings.sellBps = 99n), 'cannot take 99 basis points'],
    ['that burns too much', (m) => (m.settings.burnBps = 10_001n), 'cannot burn 10001 basis points'],
    ['with a negative fee', (m) => (m.settings.developerFeeBps = -1n), 'cannot have -1 basis points'],
    ['of more than all', (m) => (m.settings.developerFeeBps = 9_000n), 'are more than all'],
    ['without a wallet', (m) => (m.settings.developerWallet = ZERO), 'the creator has no wallet'],
    ['with one split', (m) => (m.settings.creatorSplits = parts(m, 10_000n)), '1 wallets share what'],
    [
      'with too many',
      (m) => (m.settings.creatorSplits = parts(m, ...Array<bigint>(11).fill(1n))),
      '11 wallets',
    ],
    [
      'with a part of nothing',
      (m) => (m.settings.creatorSplits = parts(m, 10_000n, 0n)),
      'has 0 parts of 10000',
    ],
    [
      'with parts of more than all',
      (m) => (m.settings.creatorSplits = parts(m, 5000n, 5001n)),
      'these are 100.01.',
    ],
    ['with a wallet twice', (m) => (m.settings.creatorSplits = parts(m, 5000n, 5000n)), 'has two parts'],
    ['for no reward', (m) => (m.settings.rewardToken = 'gold'), 'is neither SOL nor a mint'],
    ['of no kind', (m) => (m.kind = 'gift'), '"gift" is no kind of run'],
    ['that says it is the first', (m) => (m.number = 1n), 'it is number 1, and the run before is "baf'],
    ['without one before', (m) => (m.previous = ''), 'it is number 2, and the run before is ""'],
    ['of no version', (m) => (m.settings.version = 0n), 'the settings have the version 0'],
    ['closed too early', (m) => (m.cut = m.snapshot.chainSlot - 1n), 'the books are closed at slot'],
    ['without a creator', (m) => (m.creator = ZERO), 'the token has no creator'],
    ['that claims and sells', (m) => (m.kind = 'claim'), 'a claim sells, burns and shares out nothing'],
    ['of another account', (m) => (m.tokenAccount = m.mint), 'is not the account of'],
    ['of another time', (m) => (m.slot.seconds += 1n), 'the run of'],
  ])('%s is none', (_, change, says) => {
    expect(() => checkRun(changed(runs.second, change))).toThrow(says);
  });
});

describe('what a manifest says of itself', () => {
  it('is good as it is', () => {
    for (const check of [checkSnapshot, checkSplit, checkLegs, checkStatements])
      expect(() => check(runs.second)).not.toThrow();
  });
  it.each<[string, (m: Manifest) => void, Change, string]>([
    ['no owner shares', checkSnapshot, (m) => (m.snapshot.eligible.owners = 0n), '0 owners share with'],
    ['there is no slot', checkSnapshot, (m) => (m.snapshot.chainSlot = 0n), 'the snapshot is of slot 0'],
    ['fewer are listed', checkSnapshot, (m) => (m.leftOut.lines -= 1n), 'are listed'],
    ['the supply is off', checkSnapshot, (m) => (m.snapshot.supply += 1n), 'are not the supply of'],
    ['it sold for itself', checkSplit, (m) => (m.settings.rewardToken = m.mint), 'for the token itself'],
    ['it got for nothing', checkSplit, (m) => (m.exchange.sold = 0n), 'nothing was sold, and brought'],
    [
      'costs were paid by nothing',
      checkSplit,
      (m) => Object.assign(m.exchange, { fuelSold: 0n, fuel: 1n }),
      'nothing was sold for costs, and brought 1',
    ],
    ['none is paid', checkLegs, (m) => (m.legs = []), 'there is no leg'],
    ['one is paid twice', checkLegs, (m) => m.legs.push(at(m.legs)), 'no asset or paid twice'],
    ['SOL has a program', checkLegs, (m) => (at(m.legs).program = m.mint), 'is not of the program'],
    ['a token has no program', checkLegs, (m) => (at(m.legs, 1).program = ZERO), 'is not of the program'],
    ['no creator', checkLegs, (m) => (at(m.legs).creators = []), "has 0 wallets of the creator's"],
    ['half a creator', checkLegs, (m) => (at(at(m.legs).creators).partBps = 5000n), '5000 parts of 10000'],
    ['its lines are mixed', checkStatements, (m) => at(m.statements).in.reverse(), 'out of place'],
  ])('does not hold where %s', (_, check, change, says) => {
    expect(() => check(changed(runs.second, change))).toThrow(says);
  });
});

describe('the transactions', () => {
  const check = (change: Change, previous: Manifest | null = runs.first) => {
    const named = { pays: new Map(), late: new Map(), previousAnchor: '' };
    return checkTransactions(shelf, changed(runs.second, change), previous, new Report(), named);
  };
  it('are good as they are', () => expect(check(() => {})).resolves.toBeUndefined());
  it('are of after the run before', async () => {
    const late = changed(runs.first, (m) => (m.cut = runs.second.cut));
    await expect(check(() => {}, late)).rejects.toThrow('before the books of the run before were closed');
  });
  it.each<[string, Change, string]>([
    ['up to the cut', (m) => (m.cut = 1n), 'and the books are closed at slot 1'],
    ['of after the snapshot', (m) => (m.snapshot.chainSlot = m.cut), 'and who shares was chosen later'],
    ['with the anchor before', (m) => (m.previous = ''), 'the anchor before is not named, or there is none'],
    [
      'with the payment of the creator',
      (m) => (at(at(m.legs).creators).signature = 'x'),
      'which is not named as that',
    ],
  ])('are %s', async (_, change, says) => {
    await expect(check(change)).rejects.toThrow(says);
  });
});

describe('the run before', () => {
  const found = async (m: Manifest) => {
    const report = new Report();
    await runBefore(shelf, report, m);
    return report.checks.at(-1)?.detail;
  };
  it.each<[string, Change, string]>([
    ['of another token', (m) => (m.mint = m.wallet), 'it is run'],
    ['of a later time', (m) => (m.slot.seconds = 0n), 'it is run'],
    ['of another wallet', (m) => (m.wallet = m.mint), 'it is of the wallet'],
    ['of another creator', (m) => (m.creator = m.mint), 'and of the creator'],
    ['of another number', (m) => (m.number = 3n), 'it is proof 1, and this one 3'],
    ['closed after the snapshot', (m) => (m.snapshot.chainSlot = 1n), 'its books are closed at slot'],
    ['closed after this one', (m) => (m.cut = 1n), 'and closes at slot 1'],
    ['with other settings', (m) => (m.settings.sellBps = 1n), 'the settings have changed'],
    ['that left less unsold', (m) => (m.split.unsold += 1n), 'unsold, and this run began with'],
    ['that left less over', (m) => (at(m.legs, -1).remainderIn += 1n), 'over; this run began with'],
    ['that closed with less', (m) => (at(m.statements).opening += 1n), 'and this run opened with'],
    [
      'that had nothing of an asset',
      (m) => m.legs.push({ ...at(m.legs), asset: m.wallet, remainderIn: 1n }),
      'it left nothing of',
    ],
  ])('is not one %s', async (_, change, says) => {
    // A change of settings needs a change of their version.
    const m = changed(runs.second, (open) => {
      open.settings.version = runs.first.settings.version;
      Object.assign(open.settings, runs.first.settings);
      change(open);
    });
    expect(await found(m)).toContain(says);
  });
});

describe('the rows', () => {
  const check = (change: Change) => {
    const m = changed(runs.first, change);
    const pays = { has: () => true, set: () => {} } as unknown as Map<string, boolean>;
    return checkRows({
      source: shelf,
      m,
      previous: null,
      pays: Object.assign(pays, { [Symbol.iterator]: [][Symbol.iterator] }),
      late: new Map(),
      progress: () => {},
    });
  };
  const owner = '1116GS1EeaSkLFNqZv3mEtr1AV9ew2H9RzoVEA3pe4';
  it.each<[string, Change, string]>([
    ['after the last leg', (m) => (m.legs = []), 'after the last leg there is a row of 111'],
    ['of another asset', (m) => (at(m.legs).asset = 'SOL'), 'is out of order'],
    ['of more than all have', (m) => (m.snapshot.eligible.balance = 1n), 'more than all together, 1'],
    ['of the wallet', (m) => (m.wallet = owner), "it is the distribution wallet's own"],
    ['too small to be paid', (m) => (at(m.legs).worthPaying = 10n ** 12n), 'were paid and are not worth it'],
    ['below the minimum', (m) => (m.settings.minimumHolding = 10n ** 12n), 'or it does not count'],
    ['of more owners', (m) => (m.snapshot.eligible.owners += 1n), 'owners share, not'],
    ['of others left out', (m) => (m.snapshot.leftOut.balance += 1n), 'those who are left out have'],
    ['too few', (m) => (at(m.legs).rows += 1n), 'is missing'],
    ['with another sum', (m) => (at(m.legs).sums.charged += 1n), 'the column charged adds up to'],
  ])('are none %s', async (_, change, says) => {
    await expect(check(change)).rejects.toThrow(says);
  });
});
