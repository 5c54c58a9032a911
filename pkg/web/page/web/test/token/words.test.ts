import { describe, expect, it } from 'vitest';
import './page';
import { delayOptions } from '../../src/form/options';
import { lock, standing } from '../../src/token/curve/panel';
import { programs } from '../../src/token/pools';
import { entryWords, reasonWords, statusWords, stepWords } from '../../src/token/runs/words';
import { every, lasting } from '../../src/ui/interval';
import { document_ } from './examples';

const { schemas } = document_.components;

describe('words', () => {
  it('are there for every status, step, line and reason of the document, and for no other', () => {
    const named = (words: object) => Object.keys(words).sort();
    expect(named(statusWords)).toEqual([...schemas.RunSummary.properties.status.enum].sort());
    expect(named(stepWords)).toEqual([...schemas.RunStep.properties.step.enum].sort());
    expect(named(entryWords)).toEqual([...schemas.StatementEntry.properties.name.enum].sort());
    const codes = document_['x-run-codes'].map((c: { code: string }) => c.code);
    expect(codes.length).toBeGreaterThan(5);
    expect(named(reasonWords)).toEqual(codes.sort());
  });
  it('are there for every state of a curve and every kind of pool', () => {
    expect(Object.keys(standing).sort()).toEqual([...schemas.Curve.properties.status.enum].sort());
    expect(Object.keys(programs).sort()).toEqual([...schemas.Pool.properties.kind.enum].sort());
  });
  it('say of a curve only what the chain says', () => {
    const curve = { status: 'active', lockLiquidity: true, liquidityLocked: true } as const;
    expect(lock(curve)).toMatch(/^Locked permanently/);
    expect(lock({ ...curve, liquidityLocked: false })).toMatch(/the chain does not confirm/);
    expect(lock({ ...curve, lockLiquidity: false, liquidityLocked: false })).toMatch(/^Not locked/);
    expect(lock({ ...curve, status: 'cancelled' })).toMatch(/not locked/i);
  });
  it('are there for every delay of the document', () => {
    const { changeDelay } = schemas.DistributionSettings.properties;
    expect(delayOptions.map(([value]) => value)).toEqual(changeDelay.enum);
    expect(delayOptions.map(([, words]) => words)).toEqual(['No delay', '24 hours', '7 days']);
    expect(['1d', '5m', 'none'].map(lasting)).toEqual(['1 day', '5 minutes', 'none']);
  });
  it('are there for every interval', () => {
    for (const interval of schemas.Interval.enum) expect(every(interval)).not.toContain(interval);
    expect(['5m', '1h', '12h', '24h', '48h', '7d', '1d', 'x'].map(every)).toEqual([
      ...['every 5 minutes', 'every hour', 'every 12 hours', 'every day'],
      ...['every 48 hours', 'every 7 days', 'every day', 'every x'],
    ]);
  });
});
