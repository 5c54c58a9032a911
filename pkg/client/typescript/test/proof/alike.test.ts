import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Report } from '../../src/proof/report.js';
import { verify } from '../../src/proof/verify.js';
import { type Case, linesOf, readCases } from './bundle.js';
import { nodeOf } from './ledger.js';

const written = process.env.CASES;

/** What this verifier finds of a case. */
function found(c: Case): Promise<Report> {
  const chain = c.chain ? { chain: { node: nodeOf(c.chain), markets: c.markets ?? [] } } : {};
  return verify({ source: c.shelf, anchor: c.anchor, ...chain });
}

/** The check that refuses a forgery: the first that fails, or the one that could not walk the histories. */
function refusal(report: Report): string {
  // A forger leaves files behind.
  const failed = report.checks.find((c) => c.verdict === 'FAILED' && c.name !== 'nothing else');
  if (failed) return failed.name;
  return report.checks.findLast((c) => c.verdict === 'not checked')?.name ?? 'none';
}

afterEach(() => vi.unstubAllGlobals());

// `make page-check` has Go's tests write what they verify, and says where: honest runs, random ones,
// forgeries as bundles and as chains, and changes of single bytes. Without it there is nothing to
// be held against.
describe.skipIf(!written)('both verifiers', () => {
  let cases: readonly Case[] = [];
  beforeAll(() => {
    cases = readCases(written as string);
  });

  it('say the same of every bundle', { timeout: 300_000 }, async () => {
    const different: unknown[] = [];
    for (const c of cases) {
      const report = await found(c);
      const [got, want] = [linesOf(report.checks), linesOf(c.checks)];
      if (got.join('\n') !== want.join('\n'))
        different.push({ name: c.name, got, want, report: report.checks });
    }
    console.info(`${cases.length} bundles, ${different.length} differ`);
    expect(different.slice(0, 3)).toEqual([]);
    const chains = cases.filter((c) => c.chain);
    expect(cases.length).toBeGreaterThan(1000);
    expect(chains.length).toBeGreaterThan(150);
    expect(chains.some((c) => c.markets)).toBe(true);
    expect(chains.filter((c) => !c.checks.some((x) => x.Verdict === 'FAILED')).length).toBeGreaterThan(20);
  });

  it('refuse every forgery by the same check', { timeout: 300_000 }, async () => {
    const table: string[] = [];
    const [go, here]: [string[], string[]] = [[], []];
    for (const c of cases.filter((one) => one.forgery)) {
      const report = await found(c);
      expect(report.complete, c.forgery).toBe(false);
      const [refused, check] = [c.refused ?? '', refusal(report)];
      go.push(`${c.forgery}: ${refused}`);
      here.push(`${c.forgery}: ${check}`);
      const open = report.ok ? ' (not checked, so not complete)' : '';
      table.push(`${c.forgery?.padEnd(84)} | ${refused.padEnd(21)} | ${check}${open}`);
    }
    console.info(
      `${'forgery'.padEnd(84)} | ${'refused in Go by'.padEnd(21)} | in TypeScript by\n${table.join('\n')}`,
    );
    expect(here).toEqual(go);
    expect(new Set(go).size).toBeGreaterThan(130);
  });
});
