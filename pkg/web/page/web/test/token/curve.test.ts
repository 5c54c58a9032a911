import { describe, expect, it } from 'vitest';
import './page';
import { change } from '../../src/token/curve/candles';
import { choices, RESERVE } from '../../src/token/curve/holds';
import { drawing, lineOf } from '../../src/token/curve/line';
import { opening, opensLater } from '../../src/token/curve/opens';
import { share } from '../../src/token/curve/panel';
import {
  capOf,
  digits,
  lot,
  lotPrice,
  PRICE_DECIMALS,
  perSol,
  priceAt,
  raisedAt,
  scaled,
  soldAt,
} from '../../src/token/curve/price';
import { askedOf } from '../../src/token/curve/trade';
import { wish } from '../../src/token/curve/wish';
import { examples } from './examples';

const HOURS = 3_600_000;

const near = (a: bigint, b: bigint, parts: bigint) => {
  const difference = a > b ? a - b : b - a;
  expect(difference * parts, `${a} and ${b}`).toBeLessThanOrEqual(b);
};

describe('the arithmetic of the curve', () => {
  // pkg/solana/bonding, TestCurveByHand: a start price of a lamport for a base unit, x·y = T².
  const hand = { tokens: 1_000_000n, decimals: 6, start: scaled('0.001', PRICE_DECIMALS) };
  it('is that of the Go package, computed by hand', () => {
    for (const [sold, lamports] of [
      [500_000n, 1_000_000n],
      [200_000n, 250_000n],
      [750_000n, 3_000_000n],
    ] as const) {
      expect(raisedAt(hand, sold)).toBe(lamports);
      expect(soldAt(hand, lamports)).toBe(sold);
    }
    // Four times as dear at a half, sixteen times at the target.
    expect(priceAt(hand, 500_000n)).toBe(4n * hand.start);
    expect(priceAt(hand, 750_000n)).toBe(16n * hand.start);
  });

  it("returns the values of the document's example", () => {
    const line = lineOf(examples.curve, 6);
    const sold = BigInt(examples.curve.tokensSold);
    const target = scaled(examples.curve.targetMarketCap, 9);
    near(raisedAt(line, sold), scaled(examples.curve.solCollected, 9), 1_000_000_000n);
    near(priceAt(line, sold), scaled(examples.curve.currentPrice, PRICE_DECIMALS), 10_000_000_000n);
    const atTarget = soldAt(line, target);
    near(
      priceAt(line, atTarget),
      scaled(examples.curve.curveParameters.endPrice, PRICE_DECIMALS),
      1_000_000_000n,
    );
    // Three quarters at a multiplier of 16.
    near(atTarget * 4n, BigInt(examples.curve.totalTokens) * 3n, 1_000_000_000n);
  });

  it("agrees with the document's quote", () => {
    const line = lineOf(examples.curve, 6);
    const before = BigInt(examples.curve.tokensSold);
    const leaves = BigInt(examples.quote.tokenAmount) + BigInt(examples.quote.tokenTax);
    near(priceAt(line, before + leaves), scaled(examples.quote.nextPrice, PRICE_DECIMALS), 1_000_000_000n);
    const paid = raisedAt(line, before + leaves) - raisedAt(line, before);
    near(paid, BigInt(examples.quote.solCostLamports) - BigInt(examples.quote.feeLamports), 10_000_000n);
  });

  it('shows what a SOL buys', () => {
    expect(perSol('0.001', 6)).toBe(1_000_000_000n);
    expect(perSol('0.000000261396491227', 6)).toBe(3_825_606_056_554n);
    expect(perSol('0', 6)).toBeNull();
  });

  it('does not lose digits where floats would', () => {
    const most = 18_446_744_073_709_551_615n;
    const line = { tokens: most, decimals: 9, start: scaled('0.0000000000012345', PRICE_DECIMALS) };
    expect(soldAt(line, raisedAt(line, most / 2n)) <= most / 2n).toBe(true);
    near(soldAt(line, raisedAt(line, most / 2n)), most / 2n, 1_000_000n);
  });
});

describe('what is told of a curve', () => {
  it('is its maker’s share of the supply', () => {
    expect(share(examples.curve)).toEqual([['The creator’s wallet holds', '4% of the supply']]);
    expect(share({ creatorSharePercent: 0.01, official: false })).toEqual([
      ['Its maker’s wallet holds', '0.01% of the supply'],
    ]);
    expect(share({ creatorSharePercent: null, official: true })).toEqual([]);
  });
  it('is whether it opens later', () => {
    const startsAt = '2026-11-25T18:00:00.000Z';
    expect(opensLater({ startsAt }, Date.parse(startsAt) - 1)).toBe(true);
    expect(opensLater({ startsAt }, Date.parse(startsAt))).toBe(false);
    expect(opensLater({ startsAt: null }, 0)).toBe(false);
    const before = Date.parse(startsAt) - 1;
    expect(opening({ status: 'active', startsAt }, before)).toMatch(/^Opens .*25.*2026.*Until then/);
    expect(opening({ status: 'cancelled', startsAt }, before)).toBeNull();
    expect(opening({ status: 'active', startsAt }, before + 1)).toBeNull();
  });
});

describe('what is asked for', () => {
  const cost = { totalLamports: '1' };
  const shown = { ...cost, maximumSolCost: '1.5', minimumTokenAmount: '970' };
  it('is a purchase of tokens for what was shown at most, or one for lamports of what was shown at least', () => {
    expect(askedOf('m', { tokenAmount: '5' }, shown as never)).toMatchObject({
      kind: 'buy',
      most: 1_500_000_000n,
    });
    expect(askedOf('m', { lamports: '5' }, shown as never)).toMatchObject({ kind: 'spend', least: 970n });
  });
});

describe('the drawing of a curve', () => {
  it('begins at the start price, rises, and ends at the target', () => {
    const d = drawing(examples.curve, 6);
    const [first, last] = [d.points[0], d.points.at(-1)];
    expect(first?.[0]).toBe(0);
    expect(first?.[1]).toBeCloseTo(1 / 16, 4);
    expect(last).toEqual([1, 1]);
    for (let i = 1; i < d.points.length; i++)
      expect(d.points[i]?.[1]).toBeGreaterThan(d.points[i - 1]?.[1] as number);
    // A quarter of all tokens is a third of what is sold at the target.
    expect(d.now[0]).toBeCloseTo(1 / 3, 4);
    expect(d.now[1]).toBeCloseTo(16 / 9 / 16, 3);
    expect(d.target).toEqual([1, 1]);
  });
  it('continues after the target', () => {
    const d = drawing({ ...examples.curve, tokensSold: '650000000000000' }, 6);
    expect(d.now).toEqual([1, 1]);
    expect(d.target[0]).toBeLessThan(1);
  });
  it('is there before anything is sold', () => {
    expect(drawing({ ...examples.curve, tokensSold: '0' }, 6).now[0]).toBe(0);
  });
});

describe('what is typed and shown', () => {
  it('is read exactly', () => {
    expect(wish('', 6)).toBeNull();
    expect(wish('1,000.5', 6)).toEqual({ units: '1000500000' });
    for (const text of ['0', '-1', '1e3', 'x', '0.0000001', '18446744073709.551616'])
      expect(wish(text, 6), text).toHaveProperty('wrong');
    expect(wish('18446744073709.551615', 6)).toEqual({ units: '18446744073709551615' });
  });
  it('is the price of enough tokens to be readable', () => {
    expect(lot('0.0000000701754385964')).toEqual({ zeros: 6, name: '1 million' });
    expect(lotPrice('0.0000000701754385964', 6, 4)).toBe('0.07017');
    expect([lot('2.5').zeros, lot('0.001').zeros, lot('0.0009').zeros, lot('0').zeros]).toEqual([0, 0, 3, 9]);
    expect(lotPrice('123456.7', 0, 4)).toBe('123456');
  });
  it('is cut to the digits that count', () => {
    expect(digits('0.0000000779727095516', 4)).toBe('0.00000007797');
    expect(digits('123.456', 4)).toBe('123.4');
    expect(digits('123456.7', 4)).toBe('123456');
    expect(digits('0', 4)).toBe('0');
  });
});

describe('a trade’s surroundings', () => {
  it('values the supply at the price', () => {
    expect(capOf('0.0000000350877192982', '1000000000000000', 6)).toBe(35_087_719_298n);
  });

  it('compares the price with that of a day before', () => {
    const candle = (hours: number, open: string, close: string) =>
      ({
        time: new Date(HOURS * (1000 - hours)).toISOString(),
        open,
        close,
        high: close,
        low: open,
        volume: '1',
        trades: 1,
      }) as const;
    const now = HOURS * 1000;
    expect(change([candle(1, '2', '3'), candle(20, '2', '2'), candle(30, '1', '2')], now)).toBe('+50.0%');
    expect(change([candle(30, '1', '2')], now)).toBe('0.0%');
    expect(change([candle(1, '4', '3')], now)).toBe('-25.0%');
    expect(change([], now)).toBeNull();
  });

  it('offers parts of a balance, and keeps fees back', () => {
    expect(choices(false, 1_000_000_000n, 6).map(([, text]) => text)).toEqual(['250', '500', '750', '1000']);
    expect(choices(false, null, 6)).toEqual([]);
    expect(choices(true, 1_510_000_000n, 6).at(-1)).toEqual(['Max', '1.5']);
    expect(choices(true, RESERVE, 6)).toHaveLength(3);
  });
});
