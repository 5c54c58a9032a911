import { describe, expect, it } from 'vitest';
import { baseUnits, decimal, sol } from '../src/ui/amount';

describe('amounts', () => {
  it('are written exactly', () => {
    expect(decimal('18446744073709551615', 6)).toBe('18,446,744,073,709.551615');
    expect(decimal('1000000', 6)).toBe('1');
    expect(decimal('1', 9)).toBe('0.000000001');
    expect(decimal('1999999', 6, 2)).toBe('1.99');
    expect(sol('300000000')).toBe('0.3 SOL');
  });
  it('are read exactly, or not at all', () => {
    expect(baseUnits('18,446,744,073,709.551615', 6)).toBe(18446744073709551615n);
    expect(baseUnits('0.10', 1)).toBe(1n);
    expect(baseUnits('0.01', 1)).toBeNull();
    for (const text of ['', '-1', '1e3', '.5', '1.', 'x']) expect(baseUnits(text, 6)).toBeNull();
  });
});
