import { describe, expect, it } from 'vitest';
import './page';
import { often } from '../../src/token/flow/shares';
import { entryWords, reasonWords, statusWords, stepWords } from '../../src/token/runs/words';
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
  it('are there for every interval', () => {
    for (const interval of schemas.Interval.enum) expect(often(interval)).not.toContain(interval);
  });
});
