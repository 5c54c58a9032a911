import { describe, expect, it } from 'vitest';
import './page';
import { cut } from '../../src/token/flow/picture';
import { sentences, shares } from '../../src/token/flow/shares';
import { percent } from '../../src/ui/percent';
import { examples } from './examples';

const token = (tax: number, burn: number, creator: number, used = 100) => ({
  transferFeePercent: tax,
  settings: {
    ...examples.token.settings,
    burnPercent: burn,
    developerFeePercent: creator,
    percentageToSellPerDistribution: used,
  },
});

describe('where the tax goes', () => {
  it('adds up to the whole tax, to the hundredth of a percent', () => {
    for (const [burn, creator] of [
      [0, 0],
      [100, 0],
      [0, 100],
      [33.33, 66.67],
      [0.07, 0.29],
      [10, 20],
    ] as const) {
      const s = shares(token(5, burn, creator));
      expect(s.burn + s.creator + s.holders).toBe(10_000);
      expect(s.holders).toBeGreaterThanOrEqual(0);
    }
    expect(shares(token(5, 33.33, 66.67)).holders).toBe(0);
  });

  it('is drawn as wide as it is', () => {
    const parts = cut(
      [
        { name: 'a', points: 1_000, class: 'a' },
        { name: 'b', points: 0, class: 'b' },
        { name: 'c', points: 3_000, class: 'c' },
      ],
      400,
      10,
    );
    expect(parts.map((p) => [p.name, p.x, p.w])).toEqual([
      ['a', 10, 100],
      ['c', 110, 300],
    ]);
  });

  it('is said as it is drawn', () => {
    expect(sentences(shares(token(5, 10, 20, 50)), 'WALK', 'SOL', '1h')).toEqual([
      {
        part: 'tax',
        text: 'Of every transfer, 95% arrives and 5% is tax. It is collected, and 50% of the balance is paid out every hour; the rest waits.',
      },
      { part: 'burn', text: '10% of it is burned, permanently.' },
      { part: 'sell', text: '90% of it is sold for SOL.' },
      { part: 'creator', text: 'The proceeds of 20% of it go to the creator.' },
      {
        part: 'holders',
        text: 'The proceeds of 70% of it go to holders, in proportion to what they hold.',
      },
    ]);
    const parts = (s: ReturnType<typeof shares>) => sentences(s, 'WALK', 'SOL', '24h').map((x) => x.part);
    expect(parts(shares(token(5, 100, 0)))).toEqual(['tax', 'burn']);
    expect(parts(shares(token(5, 0, 100)))).toEqual(['tax', 'sell', 'creator']);
    expect(parts(shares(token(0, 10, 0)))).toEqual([null]);
    expect(sentences(shares(token(5, 0, 0)), 'WALK', 'WALK', '1h')[1]?.text).toBe(
      '100% of it is paid out as WALK.',
    );
  });

  it('writes percentages without floats', () => {
    expect([0, 1, 29, 250, 6_667, 10_000].map(percent)).toEqual([
      '0%',
      '0.01%',
      '0.29%',
      '2.5%',
      '66.67%',
      '100%',
    ]);
  });
});
