import { describe, expect, it } from 'vitest';
import './page';
import { cut } from '../../src/token/flow/picture';
import { sentences, shares } from '../../src/token/flow/shares';
import { percent } from '../../src/token/percent';
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
      'Of every transfer, 95 % arrives and 5 % is tax.',
      'The tax is collected, and 50 % of what is there is used every hour. The rest waits.',
      '10 % of it is burned: it is gone for ever.',
      '90 % of it is sold for SOL.',
      'The proceeds of 20 % of it go to the creator.',
      'The proceeds of 70 % of it go to the holders, each by how much he holds.',
    ]);
    expect(sentences(shares(token(5, 100, 0)), 'WALK', 'SOL', '24h')).toHaveLength(3);
    expect(sentences(shares(token(0, 10, 0)), 'WALK', 'SOL', '1h')).toHaveLength(1);
    expect(sentences(shares(token(5, 0, 0)), 'WALK', 'WALK', '1h')[2]).toBe(
      '100 % of it is handed on as WALK.',
    );
  });

  it('writes percentages without floats', () => {
    expect([0, 1, 29, 250, 6_667, 10_000].map(percent)).toEqual([
      '0 %',
      '0.01 %',
      '0.29 %',
      '2.5 %',
      '66.67 %',
      '100 %',
    ]);
  });
});
