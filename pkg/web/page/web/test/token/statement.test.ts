import { describe, expect, it } from 'vitest';
import './page';
import { sums } from '../../src/token/runs/statement';
import { aligned } from '../../src/token/runs/statements';
import { examples } from './examples';

const statement = examples.run.statements[0];
if (!statement) throw new Error('The document has no statement');

describe('conservation', () => {
  it('holds for the document', () => {
    expect(sums(statement)).toEqual({
      had: 110_204_411n,
      gone: 110_204_411n,
      held: 18_864_664n,
      balances: true,
    });
  });
  it('does not hold when a base unit is missing anywhere', () => {
    const more = (text: string) => (BigInt(text) + 1n).toString();
    const first = (entries: typeof statement.in) =>
      entries.map((e, i) => (i ? e : { ...e, amount: more(e.amount) }));
    for (const wrong of [
      { ...statement, opening: more(statement.opening) },
      { ...statement, closing: more(statement.closing) },
      { ...statement, in: first(statement.in) },
      { ...statement, out: first(statement.out) },
      { ...statement, heldFor: first(statement.heldFor) },
      { ...statement, heldFor: [] },
    ])
      expect(sums(wrong).balances).toBe(false);
  });
  it('adds up beyond what a float holds', () => {
    const max = '18446744073709551615';
    const s = {
      ...statement,
      opening: max,
      in: [],
      out: [{ name: 'burned' as const, amount: max }],
      closing: '0',
      heldFor: [],
    };
    expect(sums(s)).toMatchObject({ had: 18446744073709551615n, balances: true });
    expect(sums({ ...s, opening: '18446744073709551614' }).balances).toBe(false);
  });
  it('is written with the points below each other', () => {
    expect(aligned(['20000000000008', '2000000000000', '0'], 6)).toEqual([
      '20,000,000.000008',
      '2,000,000.000000',
      '0.000000',
    ]);
    expect(aligned(['3000000', '0'], 6)).toEqual(['3', '0']);
  });
});
