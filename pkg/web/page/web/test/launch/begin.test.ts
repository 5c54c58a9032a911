import '../token/page';
import { describe, expect, it } from 'vitest';
import { atOnce, beginning, keeps } from '../../src/launch/begin';

const now = Date.parse('2026-11-24T12:00:00Z');
const of = (typed: Partial<typeof atOnce>, fee = 1) => beginning({ ...atOnce, ...typed }, fee, now);
const local = (at: number) => {
  const d = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return d.toISOString().slice(0, 16);
};

describe('how a curve begins', () => {
  it('is nothing when nothing is typed', () => {
    expect(of({})).toEqual({ body: {}, wrong: {} });
  });
  it('is read exactly', () => {
    expect(of({ initialBuyLamports: '1,000.000000001' }).body.initialBuyLamports).toBe('1000000000001');
    expect(of({ startsAt: local(now + 3_600_000) }).body.startsAt).toBe('2026-11-24T13:00:00.000Z');
    expect(of({ antiSniperFeePercent: '50', antiSniperMinutes: '10' })).toMatchObject({
      body: { antiSniperFeePercent: 50, antiSniperMinutes: 10 },
      wrong: {},
    });
  });
  it('names the field that is wrong', () => {
    const day = 24 * 3_600_000;
    for (const [typed, field] of [
      [{ initialBuyLamports: '0.0000000001' }, 'initialBuyLamports'],
      [{ initialBuyLamports: 'a lot' }, 'initialBuyLamports'],
      [{ startsAt: local(now - 60_000) }, 'startsAt'],
      [{ startsAt: local(now + 31 * day + 60_000) }, 'startsAt'],
      [{ startsAt: 'soon' }, 'startsAt'],
      [{ startsAt: local(now + day), initialBuyLamports: '1' }, 'startsAt'],
      [{ antiSniperMinutes: '5' }, 'antiSniperFeePercent'],
      [{ antiSniperFeePercent: '5' }, 'antiSniperMinutes'],
      [{ antiSniperFeePercent: '1', antiSniperMinutes: '5' }, 'antiSniperFeePercent'],
    ] as const)
      expect(Object.keys(of(typed).wrong), JSON.stringify(typed)).toEqual([field]);
    expect(of({ startsAt: local(now + day), initialBuyLamports: '0' }).wrong).toEqual({});
  });
});

describe('what a creator keeps', () => {
  const token = { supply: '1000000', decimals: 2 };
  it('is nothing only without a first purchase', () => {
    expect(keeps('1000000', token, false)).toContain('you keep nothing');
    expect(keeps(undefined, token, true)).toBe(
      'All of the supply. You own what your first purchase buys. Your token’s page shows everyone your share.',
    );
    expect(keeps('900000', token, true)).toContain('You keep 1,000.');
  });
});
