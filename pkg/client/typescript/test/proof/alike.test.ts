import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Unreachable } from '../../src/proof/fault.js';
import type { Check, Report } from '../../src/proof/report.js';
import { verify } from '../../src/proof/verify.js';
import { type Case, linesOf, readCases } from './bundle.js';
import { nodeOf } from './ledger.js';

const written = process.env.CASES;
/** What all cases together may take, in milliseconds. */
const LONG = 300_000;

/** What this verifier finds of a case. */
async function found(c: Case): Promise<Report> {
  const chain = c.chain ? { chain: { node: nodeOf(c.chain), markets: c.markets ?? [] } } : {};
  return verify({ source: c.shelf, anchor: c.anchor, ...chain });
}

/**
 * The check that refuses a forgery: the first that fails, or the one that is too new, or the one that
 * could not walk the histories.
 */
function refusal(report: Report): Check | undefined {
  const failed = report.checks.find((c) => c.verdict === 'FAILED');
  return (
    failed ??
    report.checks.find((c) => c.verdict === 'too new') ??
    report.checks.findLast((c) => c.verdict === 'not checked')
  );
}

/** What both say in words of their own: of what a node does not know, and how it reports a failure. */
const OWN_WORDS = /has not landed|failed: |the receipt \w+ is |is of proof 0 |, and the chain does not/;

afterEach(() => vi.unstubAllGlobals());

// `make page-check` has Go's tests write what they verify, and says where: honest runs, random ones,
// forgeries as bundles and as chains, and changes of single bytes. Without it there is nothing to
// be held against.
describe.skipIf(!written)('both verifiers', () => {
  const judged: (Case & { readonly report: Report })[] = [];
  const reached: Case[] = [];
  beforeAll(async () => {
    for (const c of readCases(written as string))
      if (c.reach === undefined) judged.push({ ...c, report: await found(c) });
      else reached.push(c);
  }, LONG);

  it('say the same of every bundle', () => {
    const different = judged
      .map(({ name, report, checks, leftOut }) => ({
        name,
        report: report.checks,
        got: [...linesOf(report.checks), report.leftOnTrustWords],
        want: [...linesOf(checks), leftOut ?? ''],
      }))
      .filter(({ got, want }) => got.join('\n') !== want.join('\n'));
    console.info(`${judged.length} bundles, ${different.length} differ`);
    expect(different.slice(0, 3)).toEqual([]);
    const chains = judged.filter((c) => c.chain);
    expect(judged.length).toBeGreaterThan(1000);
    expect(chains.length).toBeGreaterThan(150);
    expect(chains.some((c) => c.markets)).toBe(true);
    expect(chains.filter((c) => c.report.complete).length).toBeGreaterThan(5);
  });

  it('say the same of every node and gateway that does not answer, lags or lies', async () => {
    const table: string[] = [];
    for (const c of reached) {
      const report = await found(c).catch((cause: unknown) => {
        if (!(cause instanceof Unreachable)) throw cause;
        return null;
      });
      const incomplete = report?.ok ? 'not complete' : 'refuted';
      const outcome = report === null ? 'unreachable' : report.complete ? 'complete' : incomplete;
      table.push(`${(c.reach ?? '').padEnd(66)} | ${(c.outcome ?? '').padEnd(12)} | ${outcome}`);
      expect(`${c.reach}: ${outcome}`).toBe(`${c.reach}: ${c.outcome}`);
      if (!report) continue;
      const got = report.checks.map((one) => `${one.verdict}: ${one.name}`);
      expect(got, c.reach).toEqual(c.checks.map((one) => `${one.Verdict}: ${one.Name}`));
    }
    console.info(`${'node or gateway'.padEnd(66)} | in Go        | in TypeScript\n${table.join('\n')}`);
    expect(table.length).toBeGreaterThan(10);
  });

  it('refuse every forgery by the same check', () => {
    const table: string[] = [];
    const [go, here]: [string[], string[]] = [[], []];
    for (const { forgery, refused, report, checks } of judged) {
      if (forgery === undefined) continue;
      const { name: check = 'none', detail = '' } = refusal(report) ?? {};
      expect(report.complete, forgery).toBe(false);
      // For the same reason, too: another rule may be in the way of one that is broken.
      const why = checks.find((c) => c.Name === refused)?.Detail ?? '';
      if (!OWN_WORDS.test(why)) expect(`${forgery}: ${detail}`).toBe(`${forgery}: ${why}`);
      go.push(`${forgery}: ${refused}`);
      here.push(`${forgery}: ${check}`);
      const refuted = checks.some((c) => c.Verdict === 'FAILED');
      expect(report.tooNew, forgery).toBe(!refuted && checks.some((c) => c.Verdict === 'too new'));
      const open = report.tooNew ? ' (too new)' : report.ok ? ' (not checked, so not complete)' : '';
      table.push(`${forgery.padEnd(84)} | ${refused?.padEnd(21)} | ${check}${open}`);
    }
    console.info(
      `${'forgery'.padEnd(84)} | ${'refused in Go by'.padEnd(21)} | in TypeScript by\n${table.join('\n')}`,
    );
    expect(here).toEqual(go);
    expect(new Set(go).size).toBeGreaterThan(130);
  });
});
