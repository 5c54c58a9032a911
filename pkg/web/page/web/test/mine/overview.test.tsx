import '../token/page';
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { forgetAll } from '../../src/api/cache';
import { costOf, days, Overview, taxedVolume } from '../../src/mine/overview';
import { CurveVolume, filled, traded } from '../../src/mine/volume';
import { utcDay } from '../../src/ui/clock';
import { examples } from '../token/examples';
import { at, service } from '../token/service';

const { token, runs, preview } = examples;
const base = `/distribution/${token.mintAddress}`;

afterEach(() => {
  cleanup();
  forgetAll();
  vi.unstubAllGlobals();
});

describe('a creator’s overview', () => {
  it('shows the tax that waits, the cost of payouts and the volume, from two requests', async () => {
    const [summary] = runs.runs;
    if (!summary) throw new Error('The document shows no distribution');
    const other = { ...summary, id: 'other', feesLamports: '60000', rentLamports: '2000000' };
    const asked = service(
      at(`${base}/preview`, preview),
      at(`${base}/runs`, {
        runs: [summary, other, { ...other, id: 'open', status: 'paying' }],
        nextCursor: null,
      }),
    );
    render(<Overview token={token} />);
    expect(await screen.findByText('Tax waiting')).toBeTruthy();
    expect(await screen.findByText(/All 2 payouts together cost 0\.0022 SOL in fees and rent/)).toBeTruthy();
    expect(screen.getByText(/came from transfers of about/)).toBeTruthy();
    expect(asked.filter((path) => path.startsWith(base)).length).toBe(2);
  });

  it('says of how many payouts the cost is while older ones are not loaded', async () => {
    service(at(`${base}/preview`, preview), at(`${base}/runs`, { ...runs, nextCursor: 'more' }));
    render(<Overview token={token} />);
    expect(await screen.findByText(/The last payout cost 0\.00014 SOL/)).toBeTruthy();
  });

  it('draws the volume on the curve by day, days without trades included', async () => {
    const candle = { open: '1', high: '1', low: '1', close: '1', volumeLamports: '0', volumeTokens: '0' };
    const list = [
      { ...candle, time: '2026-03-04T00:00:00.000Z', volume: '4.126400118', trades: 17 },
      { ...candle, time: '2026-03-02T00:00:00.000Z', volume: '1', trades: 1 },
    ];
    const amounts = list.map(traded);
    expect(filled(amounts, '2026-03-05', 'no trades').map(({ day, words }) => [day, words])).toEqual([
      ['2026-03-02', '1 SOL in 1 trade'],
      ['2026-03-03', 'no trades'],
      ['2026-03-04', '4.126 SOL in 17 trades'],
      ['2026-03-05', 'no trades'],
    ]);
    const old = filled([{ day: '2025-01-01', value: 1, words: '' }, ...amounts], '2026-03-05', '');
    expect([old.length, old[0]?.day]).toEqual([30, '2026-02-04']);
    const path = `/launchpad/${token.mintAddress}/candles`;
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const recent = list.map((one, i) => ({ ...one, time: ago(1 + 2 * i) }));
    const asked = service(at(path, { mintAddress: token.mintAddress, interval: '1d', candles: recent }));
    render(<CurveVolume token={{ ...token, launchpad: examples.curve as never }} />);
    const slider = await screen.findByLabelText(/Day in the chart: SOL traded on the curve/);
    for (const [bar, words] of [
      [1, `${utcDay(ago(2))}: no trades`],
      [2, `${utcDay(ago(1))}: 4.126 SOL in 17 trades`],
    ] as const) {
      fireEvent.input(slider, { target: { value: String(bar) } });
      expect(await screen.findByText(words)).toBeTruthy();
    }
    cleanup();
    forgetAll();
    render(<CurveVolume token={{ ...token, launchpad: null }} />);
    expect(asked.filter((it) => it.startsWith(path)).length).toBe(1);
  });

  it('groups payouts by day, newest first, without claims and what paid nothing', () => {
    const [summary] = runs.runs;
    if (!summary) throw new Error('The document shows no distribution');
    const run = (scheduledAt: string, paidHolders: number, other: object = {}) => ({
      ...summary,
      scheduledAt,
      paidHolders,
      ...other,
    });
    const got = days([
      run('2026-03-02T23:00:00.000Z', 4),
      run('2026-03-03T00:00:00.000Z', 7),
      run('2026-03-02T01:00:00.000Z', 9),
      run('2026-03-01T01:00:00.000Z', 9, { status: 'skipped' }),
      run('2026-03-01T02:00:00.000Z', 9, { kind: 'claim' }),
    ]);
    expect(got.map((one) => [one.day, one.holders, one.runs.length])).toEqual([
      ['2026-03-03', 7, 1],
      ['2026-03-02', 9, 2],
    ]);
  });

  it('sums fees and rent, and has no volume without a tax', () => {
    const costs = (feesLamports: string, rentLamports: string) =>
      ({ feesLamports, rentLamports }) as (typeof runs.runs)[number];
    expect(costOf([costs('5', '7'), costs('18446744073709551615', '0')])).toBe(18446744073709551627n);
    const [summary] = runs.runs;
    expect(taxedVolume(summary ? [{ ...summary, collected: '500' }] : [], 5)).toBe(10_000n);
    expect(taxedVolume([], 0)).toBeNull();
  });
});
