import '../token/page';
import { cleanup, render, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { forgetAll } from '../../src/api/cache';
import { costOf, days, Overview, taxedVolume } from '../../src/mine/overview';
import { examples } from '../token/examples';
import { at, service } from '../token/service';

const { token, runs, run, preview } = examples;
const base = `/distribution/${token.mintAddress}`;

afterEach(() => {
  cleanup();
  forgetAll();
  vi.unstubAllGlobals();
});

describe('a creator’s overview', () => {
  it('shows the tax that waits, the cost of payouts and the volume, from what exists', async () => {
    const [summary] = runs.runs;
    if (!summary) throw new Error('The document shows no distribution');
    const asked = service(
      at(`${base}/preview`, preview),
      at(`${base}/runs`, { runs: [summary], nextCursor: null }),
      at(`${base}/runs/${summary.id}`, run),
    );
    render(<Overview token={token} />);
    expect(await screen.findByText('Tax waiting')).toBeTruthy();
    expect(await screen.findByText(/The last payout cost 0\.\d+ SOL in fees and rent/)).toBeTruthy();
    expect(screen.getByText(/came from transfers of about/)).toBeTruthy();
    expect(asked.filter((path) => path.startsWith(base)).length).toBeLessThanOrEqual(3);
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

  it('counts fees and rent in SOL only, and no volume without a tax', () => {
    const fees = (asset: string) =>
      ({
        ...run,
        statements: [
          {
            asset,
            opening: '0',
            in: [],
            closing: '0',
            heldFor: [],
            out: [
              { name: 'fees', amount: '5' },
              { name: 'rent', amount: '7' },
              { name: 'holders', amount: '9' },
            ],
          },
        ],
      }) as unknown as typeof run;
    expect(costOf([fees('SOL'), fees(token.mintAddress), fees('SOL')])).toBe(24n);
    const [summary] = runs.runs;
    expect(taxedVolume(summary ? [{ ...summary, collected: '500' }] : [], 5)).toBe(10_000n);
    expect(taxedVolume([], 0)).toBeNull();
  });
});
