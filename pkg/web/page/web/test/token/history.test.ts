import { describe, expect, it } from 'vitest';
import './page';
import { assetOf, brief } from '../../src/token/asset';
import { tick } from '../../src/token/history/plot';
import { bars, columns, history, merged, pixels, rewards } from '../../src/token/history/series';
import { examples } from './examples';

const settled = examples.runs.runs[0];
if (!settled) throw new Error('The document has no distribution');
const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const runs = [
  { ...settled, id: 'd', scheduledAt: '2026-03-02T14:00:00.000Z', status: 'paying' as const },
  { ...settled, id: 'c', scheduledAt: '2026-03-02T13:00:00.000Z', rewardToken: usdc, holdersPaid: '1500000' },
  { ...settled, id: 'b', scheduledAt: '2026-03-02T12:00:00.000Z', status: 'skipped' as const },
  { ...settled, id: 'a', scheduledAt: '2026-03-02T11:00:00.000Z' },
];

describe('the history', () => {
  it('has what was settled, of one reward at a time, oldest first', () => {
    expect(rewards(runs)).toEqual([usdc, 'SOL']);
    expect(history(runs, 'SOL').map((r) => r.id)).toEqual(['a']);
    expect(
      history([...runs, { ...settled, id: 'z', scheduledAt: '2026-03-02T10:00:00.000Z' }], 'SOL').map(
        (r) => r.id,
      ),
    ).toEqual(['z', 'a']);
  });
  it('is drawn of the same numbers', () => {
    expect(columns(bars(history(runs, 'SOL'), 10), 9, 6)).toEqual([[0.070932101], [48.211], [412]]);
    expect(pixels('18446744073709551615', 0)).toBe(18446744073709552000);
  });
  it('has as many bars as there is room for, and every distribution is in one of them', () => {
    const many = Array.from({ length: 1000 }, (_, i) => ({
      ...settled,
      id: String(i),
      scheduledAt: new Date(Date.UTC(2026, 0, 1) + i * 3_600_000).toISOString(),
      holdersPaid: '10',
      burned: '3',
      paidHolders: i,
    }));
    const drawn = bars(many, 150);
    expect(drawn.length).toBeLessThanOrEqual(150);
    expect(drawn.reduce((n, b) => n + b.count, 0)).toBe(1000);
    expect(drawn.reduce((n, b) => n + b.holdersPaid, 0n)).toBe(10_000n);
    expect(drawn.at(-1)).toMatchObject({
      count: 7,
      paidHolders: 999,
      burned: 21n,
      to: many[999]?.scheduledAt,
    });
    expect(drawn[0]?.from).toBe(many[0]?.scheduledAt);
    expect(bars(many.slice(0, 150), 150).every((b) => b.count === 1)).toBe(true);
    expect(bars([], 150)).toEqual([]);
    expect(merged(many.slice(0, 1))).toMatchObject({ count: 1, holdersPaid: 10n, paidHolders: 0 });
  });
  it('has short marks', () => {
    expect([0, 0.5, 999, 1_200, 2_000_000, 3e9, 4.5e12].map(tick)).toEqual([
      '0',
      '0.5',
      '999',
      '1.2k',
      '2M',
      '3B',
      '4.5T',
    ]);
  });
});

describe('amounts in tables', () => {
  const { token } = examples;
  it('are cut, never to nothing, and never rounded up', () => {
    const sol = assetOf('SOL', token);
    expect(brief(sol, '0')).toBe('0 SOL');
    expect(brief(sol, '4')).toBe('0.000000004 SOL');
    expect(brief(sol, '123456')).toBe('0.0001234 SOL');
    expect(brief(sol, '1999999999')).toBe('1.999 SOL');
    expect(brief(sol, '1999999999999')).toBe('1,999 SOL');
    expect(brief(assetOf(usdc, token), '1500000')).toBe('1.5 USDC');
    expect(brief(assetOf(token.creator, token), '15')).toMatch(/^15 base units of /);
  });
});
