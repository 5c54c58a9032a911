import './token/page';
import { describe, expect, it } from 'vitest';
import { slippage } from '../src/token/curve/trade';
import { number, PERCENT, SOL, understood, units } from '../src/ui/entered';

/** What a reader makes of an entry: the value, or the sentence that it throws. */
const read = (parse: () => unknown): string => {
  try {
    return String(parse());
  } catch (cause) {
    return (cause as Error).message;
  }
};
const AMOUNT = 'Enter an amount, such as 1,000,000 or 0.5.';
const NUMBER = 'Enter a number, such as 5 or 2.5.';
const THOUSANDS = ' The comma separates thousands.';
const asks = (meant: string, sentence: string) => `Did you mean ${meant}? ${sentence}`;

// Of each entry: what a field for SOL, for a token of 6 decimals and for a percentage makes of it,
// and what the first and the last of them show below it.
const table: readonly (readonly [entry: string, lamports: string, tokens: string, percent: string])[] = [
  ['0,5', asks('0.5', AMOUNT), asks('0.5', AMOUNT), '0.5'],
  ['2,5', asks('2.5', AMOUNT), asks('2.5', AMOUNT), '2.5'],
  ['0,05', asks('0.05', AMOUNT), asks('0.05', AMOUNT), '0.05'],
  ['0,500', asks('0.500', AMOUNT), asks('0.500', AMOUNT), '0.5'],
  [',5', asks('0.5', AMOUNT), asks('0.5', AMOUNT), asks('0.5', NUMBER)],
  ['1,00', asks('1.00', AMOUNT), asks('1.00', AMOUNT), '1'],
  ['1,', asks('1', AMOUNT), asks('1', AMOUNT), asks('1', NUMBER)],
  ['1,000', '1000000000000', '1000000000', '1'],
  ['1,000.5', '1000500000000', '1000500000', asks('1000.5', NUMBER)],
  ['1,000,000', '1000000000000000', '1000000000000', asks('1000000', NUMBER)],
  ['1,000,00', AMOUNT, AMOUNT, NUMBER],
  ['1,00,000', AMOUNT, AMOUNT, NUMBER],
  ['1.000', '1000000000', '1000000', '1'],
  ['1.000,5', asks('1,000.5', AMOUNT), asks('1,000.5', AMOUNT), asks('1000.5', NUMBER)],
  ['1.000.000', asks('1,000,000', AMOUNT), asks('1,000,000', AMOUNT), asks('1000000', NUMBER)],
  ['1 000', asks('1,000', AMOUNT), asks('1,000', AMOUNT), asks('1000', NUMBER)],
  ['1\u00a0000,5', asks('1,000.5', AMOUNT), asks('1,000.5', AMOUNT), asks('1000.5', NUMBER)],
  ['1’000', asks('1,000', AMOUNT), asks('1,000', AMOUNT), asks('1000', NUMBER)],
  ['1_000', asks('1,000', AMOUNT), asks('1,000', AMOUNT), asks('1000', NUMBER)],
  ['١', asks('1', AMOUNT), asks('1', AMOUNT), asks('1', NUMBER)],
  ['٠٫٥', asks('0.5', AMOUNT), asks('0.5', AMOUNT), asks('0.5', NUMBER)],
  ['１', asks('1', AMOUNT), asks('1', AMOUNT), asks('1', NUMBER)],
  ['1e3', asks('1,000', AMOUNT), asks('1,000', AMOUNT), asks('1000', NUMBER)],
  ['.5', asks('0.5', AMOUNT), asks('0.5', AMOUNT), asks('0.5', NUMBER)],
  ['5.', asks('5', AMOUNT), asks('5', AMOUNT), asks('5', NUMBER)],
  [' 5 ', '5000000000', '5000000', '5'],
  ['0.5', '500000000', '500000', '0.5'],
  ['0.0000005', '500', 'Use at most 6 decimals.', '5e-7'],
  ['0', 'Enter more than 0.', 'Enter more than 0.', '0'],
  ...['-1', '+1', '', ',', '.', '0x10', '1k', 'Infinity', '½', '1²', '1,000,000.0.0'].map(
    (entry) => [entry, AMOUNT, AMOUNT, NUMBER] as const,
  ),
];

describe('what people enter', () => {
  it.each(table)('%j is read exactly, or a question', (entry, lamports, tokens, percent) => {
    expect(read(() => units(entry, 9, 1n))).toBe(lamports);
    expect(read(() => units(entry, 6, 1n))).toBe(tokens);
    expect(read(() => number(entry))).toBe(percent);
  });
  it('is never read as more than a comma allows', () => {
    for (let whole = 0; whole < 2000; whole += 7)
      for (const fraction of ['0', '5', '05', '50', '500', '0500', '000001']) {
        const value = read(() => units(`${whole},${fraction}`, 9));
        if (fraction.length === 3 && whole > 0 && whole < 1000)
          expect(value).toBe(`${whole}${fraction}${'0'.repeat(9)}`);
        else expect(value).toBe(asks(`${whole}.${fraction}`, AMOUNT));
      }
  });
  it('of what is written, is read back', () => {
    for (const text of ['1,000,000,000', '18,446,744,073,709.551615', '0.000001'])
      expect(understood(text, { unit: 'CRANE', decimals: 6 })).toBe(`= ${text} CRANE`);
  });
  it('takes no more decimals than the chain', () => {
    expect(() => units('0.0000000001', 9)).toThrow('Use at most 9 decimals.');
    expect(() => units('18446744073.709551616', 9)).toThrow('the maximum is 18,446,744,073.');
    expect(units('18446744073.709551615', 9)).toBe('18446744073709551615');
    expect(() => number('1.0000000001')).toThrow(NUMBER);
  });
  it('of the slippage, is a percentage up to 50', () => {
    const all = { '2,5': 2.5, '2.55': 2.55, ' 3 ': 3, '0': 0, '50': 50, '0,29': 0.29 };
    for (const [entry, value] of Object.entries(all)) expect(slippage(entry), entry).toBe(value);
    for (const entry of ['50.01', '1.001', '1 000', '1e1', '-1', '', '٣'])
      expect(slippage(entry), entry).toBeNull();
  });
});

describe('what is shown below a field', () => {
  it('is how the entry was read', () => {
    expect(understood('0.50', SOL)).toBe('= 0.5 SOL');
    expect(understood('1000', SOL)).toBe('= 1,000 SOL');
    expect(understood('2,5', PERCENT)).toBe('= 2.5%');
    expect(understood('12,5', { unit: '× the start' })).toBe('= 12.5 × the start');
  });
  it('names the separator where languages disagree', () => {
    expect(understood('1,000', SOL)).toBe(`= 1,000 SOL.${THOUSANDS}`);
    expect(understood('12,345', SOL)).toBe(`= 12,345 SOL.${THOUSANDS}`);
    expect(understood('1.000', SOL)).toBe('= 1 SOL. The point separates decimals.');
    expect(understood('1.234', SOL)).toBe('= 1.234 SOL. The point separates decimals.');
    for (const clear of ['0.500', '1,000,000', '1,000.5', '1.2345', '1234.567'])
      expect(understood(clear, SOL), clear).not.toContain('separates');
  });
  it('is nothing where nothing was read, or a percentage is as it was typed', () => {
    for (const entry of ['0,5', '1 000', '', '1e3', '-1']) expect(understood(entry, SOL), entry).toBe('');
    expect(understood('2.5', PERCENT)).toBe('');
  });
});
