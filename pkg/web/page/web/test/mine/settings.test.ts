import '../token/page';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkers } from '../../src/form/document';
import { conflicts, drop, type Edits, keep, store, stored, write, written } from '../../src/mine/edits';
import { changeOf, type Fields, fieldsOf, lowers } from '../../src/mine/fields';
import { keepPaid, lastPaid, standing } from '../../src/mine/paid';
import { days, priceOf, until } from '../../src/mine/price';
import { within } from '../../src/mine/when';
import { nextSlot } from '../../src/ui/interval';
import { document_, examples } from '../token/examples';

const settings = examples.token.settings;
const checker = checkers(document_)('SettingsChange');
const fields = fieldsOf(settings, 6);
const other = examples.token.mintAddress;
const change = (written: Partial<Fields>) => changeOf(written, settings, 6, checker);

describe('a change of settings', () => {
  it('has only what is not so already', () => {
    expect(change({}).body).toEqual({});
    expect(change(fields)).toEqual({ body: {}, wrong: {} });
    expect(change({ burnPercent: ` ${settings.burnPercent}.0 ` }).body).toEqual({});
    expect(change({ burnPercent: '33.33', distributionInterval: '6h' })).toEqual({
      body: { burnPercent: 33.33, distributionInterval: '6h' },
      wrong: {},
    });
  });
  it('has amounts in base units, exactly', () => {
    expect(change({ minimumHoldingRequirement: '18,446,744,073,709.551615' }).body).toEqual({
      minimumHoldingRequirement: '18446744073709551615',
    });
  });
  it('unsets the group, and takes it by its address', () => {
    const with_ = { ...settings, telegramGroupId: '@crane_holders' };
    expect(changeOf({ telegramGroupId: ' ' }, with_, 6, checker)).toEqual({
      body: { telegramGroupId: '' },
      wrong: {},
    });
    expect(change({ telegramGroupId: 'https://t.me/crane_holders' }).body).toEqual({
      telegramGroupId: '@crane_holders',
    });
  });
  it('changes which balance counts', () => {
    expect(change({ rewardBasis: 'held' })).toEqual({ body: { rewardBasis: 'held' }, wrong: {} });
  });
  it('keeps what holders were promised', () => {
    const promised = { ...settings, minimumHoldersPercent: 50, burnPercent: 10, developerFeePercent: 20 };
    const wrong = (typed: Partial<Fields>) => Object.keys(changeOf(typed, promised, 6, checker).wrong);
    expect(wrong({ minimumHoldersPercent: '49.99' })).toEqual(['minimumHoldersPercent']);
    expect(wrong({ minimumHoldersPercent: '70.01' })).toEqual(['minimumHoldersPercent']);
    expect(wrong({ developerFeePercent: '40.01' })).toEqual(['developerFeePercent']);
    expect(wrong({ rewardToken: other })).toEqual(['rewardToken']);
    expect(wrong({ minimumHoldingRequirement: '2' })).toEqual(['minimumHoldingRequirement']);
    expect(wrong({ minimumHoldersPercent: '70', distributionInterval: '6h' })).toEqual([]);
    expect(wrong({ developerFeePercent: '40' })).toEqual([]);
    expect(change({ minimumHoldersPercent: '30' }).body).toEqual({ minimumHoldersPercent: 30 });
  });
  it('only raises the delay, and knows what waits for it', () => {
    const slow = { ...settings, changeDelay: '24h' as const, burnPercent: 10, developerFeePercent: 20 };
    const wrong = (typed: Partial<Fields>) => Object.keys(changeOf(typed, slow, 6, checker).wrong);
    expect(wrong({ changeDelay: 'none' })).toEqual(['changeDelay']);
    expect(wrong({ changeDelay: '7d' })).toEqual([]);
    for (const worse of [
      { burnPercent: 11 },
      { developerFeePercent: 21 },
      { rewardToken: other },
      { distributionEnabled: false },
      { distributionInterval: '24h' as const },
    ])
      expect(
        lowers({ ...slow, distributionInterval: '6h', distributionEnabled: true }, { ...slow, ...worse }),
      ).toBe(true);
    expect(lowers(slow, { ...slow, burnPercent: 9, telegramGroupId: '-1' })).toBe(false);
  });
  it('splits the share of the creator, and ends the split', () => {
    const list = [
      { wallet: settings.developerWallet, percent: 70.01 },
      { wallet: other, percent: 29.99 },
    ];
    const split = { ...settings, creatorSplits: list };
    const typed = ` ${settings.developerWallet} 70.01,${other}=29.99% `;
    expect(change({ creatorSplits: typed })).toEqual({ body: { creatorSplits: list }, wrong: {} });
    expect(changeOf(fieldsOf(split, 6), split, 6, checker)).toEqual({ body: {}, wrong: {} });
    expect(changeOf({ creatorSplits: '' }, split, 6, checker).body).toEqual({ creatorSplits: [] });
  });
  const bad: [Partial<Fields>, keyof Fields][] = [
    [{ burnPercent: '101' }, 'burnPercent'],
    [{ burnPercent: '1.001' }, 'burnPercent'],
    [{ burnPercent: '' }, 'burnPercent'],
    [{ burnPercent: '1e1' }, 'burnPercent'],
    [{ burnPercent: '-1' }, 'burnPercent'],
    [{ percentageToSellPerDistribution: '0.5' }, 'percentageToSellPerDistribution'],
    [{ minimumHoldingRequirement: '0' }, 'minimumHoldingRequirement'],
    [{ minimumHoldingRequirement: '0.0000001' }, 'minimumHoldingRequirement'],
    [{ minimumHoldingRequirement: '18446744073709.551616' }, 'minimumHoldingRequirement'],
    [{ developerWallet: 'SOL' }, 'developerWallet'],
    [{ developerWallet: '' }, 'developerWallet'],
    [{ rewardToken: '' }, 'rewardToken'],
    [{ creatorSplits: `${settings.developerWallet} 100` }, 'creatorSplits'],
    [{ creatorSplits: `${settings.developerWallet} 70, ${other} 29.99` }, 'creatorSplits'],
    [{ creatorSplits: 'SOL 70' }, 'creatorSplits'],
    [{ telegramGroupId: 'crane' }, 'telegramGroupId'],
    [{ distributionInterval: '2h' }, 'distributionInterval'],
    [{ burnPercent: String(100 - settings.developerFeePercent + 0.01) }, 'burnPercent'],
    [{ burnPercent: '60', developerFeePercent: '40.01' }, 'developerFeePercent'],
  ];
  for (const [typed, field] of bad)
    it(`reports what is wrong with ${JSON.stringify(typed)}`, () => {
      expect(Object.keys(change(typed).wrong)).toEqual([field]);
    });
});

describe('unsaved changes', () => {
  const now = fields;
  const elsewhere = { ...fields, burnPercent: '30' };
  beforeEach(() => localStorage.clear());

  it('are none when it is as it was', () => {
    const edits = write({}, 'burnPercent', '25', now);
    expect(written(edits)).toEqual({ burnPercent: '25' });
    expect(write(edits, 'burnPercent', now.burnPercent, now)).toEqual({});
  });
  it('survive a reload, each token its own', () => {
    const edits = write(write({}, 'burnPercent', '25', now), 'telegramGroupId', '@crane', now);
    store('a', edits);
    expect(stored('a')).toEqual(edits);
    expect(stored('b')).toEqual({});
    store('a', {});
    expect(localStorage.length).toBe(0);
  });
  it('are read back only when they are changes', () => {
    localStorage.setItem(
      'settings:a',
      '{"burnPercent":5,"x":{"value":"1","base":"2"},"distributionInterval":{"value":"6h"}}',
    );
    expect(stored('a')).toEqual({});
    localStorage.setItem('settings:a', '{');
    expect(stored('a')).toEqual({});
  });
  it('clash with other changes of the same field only', () => {
    const edits = write({}, 'burnPercent', '25', now);
    expect(conflicts(edits, now)).toEqual([]);
    expect(conflicts(edits, { ...now, distributionInterval: '5m' })).toEqual([]);
    expect(conflicts(edits, elsewhere)).toEqual(['burnPercent']);
    expect(conflicts(edits, { ...now, burnPercent: '25' })).toEqual([]);
  });
  it('still clash when writing continues', () => {
    const edits: Edits = write(write({}, 'burnPercent', '25', now), 'burnPercent', '26', elsewhere);
    expect(conflicts(edits, elsewhere)).toEqual(['burnPercent']);
  });
  it('are kept or dropped by their author', () => {
    const edits = write({}, 'burnPercent', '25', now);
    const kept = keep(edits, 'burnPercent', elsewhere);
    expect([conflicts(kept, elsewhere), written(kept)]).toEqual([[], { burnPercent: '25' }]);
    expect(conflicts(kept, { ...now, burnPercent: '31' })).toEqual(['burnPercent']);
    expect(drop(edits, 'burnPercent')).toEqual({});
  });
});

describe('days of being featured', () => {
  it('are counted exactly', () => {
    expect([priceOf(1), priceOf(30)]).toEqual([300_000_000n, 9_000_000_000n]);
    expect(['1', ' 30 '].map(days)).toEqual([1, 30]);
    expect(['0', '31', '1.5', '', '-1', '1e1', 'x'].map(days)).toEqual(Array(7).fill(null));
  });
  it('are added to those that run', () => {
    const now = Date.parse('2026-03-02T10:00:00.000Z');
    expect(until(2, null, now).toISOString()).toBe('2026-03-04T10:00:00.000Z');
    expect(until(2, '2026-03-01T00:00:00.000Z', now).toISOString()).toBe('2026-03-04T10:00:00.000Z');
    expect(until(2, '2026-03-05T12:00:00.000Z', now).toISOString()).toBe('2026-03-07T12:00:00.000Z');
  });
});

describe('times to come', () => {
  it('are the boundaries of the interval', () => {
    const at = (interval: string, time: string) => nextSlot(interval, Date.parse(time));
    expect(at('5m', '2026-11-21T12:34:56.789Z')).toBe('2026-11-21T12:35:00.000Z');
    expect(at('5m', '2026-11-21T12:35:00.000Z')).toBe('2026-11-21T12:40:00.000Z');
    expect(at('6h', '2026-11-21T12:34:56.789Z')).toBe('2026-11-21T18:00:00.000Z');
    expect(at('24h', '2026-12-31T12:34:56.789Z')).toBe('2027-01-01T00:00:00.000Z');
    expect(at('48h', '2026-11-21T12:34:56.789Z')).toBe('2026-11-23T00:00:00.000Z');
    expect(() => at('x', '2026-11-21T12:34:56.789Z')).toThrow();
  });
  it('are said in minutes and hours', () => {
    expect([1, 60_000, 60_001, 23 * 60_000, 3_600_000, 7_620_000].map(within)).toEqual([
      'in less than a minute',
      'in less than a minute',
      'in 2 min',
      'in 23 min',
      'in 1 h 00 min',
      'in 2 h 07 min',
    ]);
  });
});

describe('a payment', () => {
  const at = Date.parse('2026-03-02T10:00:00.000Z');
  it('is remembered over a reload, each token its own', () => {
    sessionStorage.clear();
    keepPaid('a', { before: null, at });
    expect([lastPaid('a'), lastPaid('b')]).toEqual([{ before: null, at }, null]);
    sessionStorage.setItem('paid:a', '{"before":5}');
    expect(lastPaid('a')).toBeNull();
  });
  it('is waited for until it shows, and called late when it does not', () => {
    const end = '2026-03-05T10:00:00.000Z';
    expect(standing({ before: null, at }, null, at + 120_000)).toBe('waiting');
    expect(standing({ before: null, at }, end, at + 120_000)).toBe('arrived');
    expect(standing({ before: end, at }, end, at + 1)).toBe('waiting');
    expect(standing({ before: end, at }, end, at + 600_000)).toBe('late');
  });
});
