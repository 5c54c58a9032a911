import { describe, expect, it } from 'vitest';
import { baseUnits, compact, decimal, sol } from '../src/ui/amount';

describe('amounts', () => {
  it('are written exactly', () => {
    expect(decimal('18446744073709551615', 6)).toBe('18,446,744,073,709.551615');
    expect(decimal('1000000', 6)).toBe('1');
    expect(decimal('1', 9)).toBe('0.000000001');
    expect(decimal('1999999', 6, 2)).toBe('1.99');
    expect(sol('300000000')).toBe('0.3 SOL');
  });
  it('are written shortly, never more than they are', () => {
    expect(compact('1000000000000000', 6)).toBe('1B');
    expect(compact('999999999999', 6)).toBe('999k');
    expect(compact('1239999', 0)).toBe('1.23M');
    expect(compact('18446744073709551615', 0)).toBe('18,446,744T');
    expect(compact('123456789', 6)).toBe('123');
    expect(compact('1999999', 6)).toBe('1.99');
    expect(compact('4', 9)).toBe('0.000000004');
    expect(compact('0', 6)).toBe('0');
  });
  it('are read exactly, or not at all', () => {
    expect(baseUnits('18446744073709.551615', 6)).toBe(18446744073709551615n);
    expect(baseUnits('0.10', 1)).toBe(1n);
    expect(baseUnits('0.01', 1)).toBeNull();
    for (const text of ['', '-1', '1e3', '.5', '1.', 'x', '1,000', '0,5', ' 1', '1_0'])
      expect(baseUnits(text, 6)).toBeNull();
  });
});
