import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rules } from '../../src/form/built';
import { checkers } from '../../src/form/document';

const whole = checkers(
  JSON.parse(readFileSync('../../../api/endpoint/docs/dist/openapi.json', 'utf8')) as Parameters<
    typeof checkers
  >[0],
);

describe('the rules that the page is built with', () => {
  const bad = {
    name: '',
    symbol: 'a\u200bb',
    description: 5,
    supply: '0',
    developerWallet: 'x',
    decimals: 7,
  };
  it.each([
    'TokenCreation',
    'SettingsChange',
    'CurveCreation',
    'PoolCreation',
  ])('say of a %s what the whole document says', (name) => {
    for (const body of [{}, bad, { ...bad, tokenAmount: '0', targetMarketCap: 'x', burnPercent: 101 }])
      expect(rules(name).check(body)).toEqual(whole(name).check(body));
    expect(rules(name).field('description').maxLength).toBe(whole(name).field('description').maxLength);
  });
  it('refuse a body', () => {
    expect(Object.keys(rules('TokenCreation').check(bad))).toContain('description');
  });
});
