// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { verify } from '../../src/verify/verify';
import { linesOf, readCases } from './bundle';

const written = process.env.CASES;

// `make page-check` has Go's tests write what they verify, and says where: random runs, forgeries,
// and changes of single bytes. Without it there is nothing to be held against.
describe.skipIf(!written)('both verifiers', () => {
  it('say the same of every bundle', { timeout: 120_000 }, async () => {
    const cases = readCases(written as string);
    const different: unknown[] = [];
    for (const c of cases) {
      const report = await verify({ source: c.shelf, anchor: c.anchor });
      const [got, want] = [linesOf(report.checks), linesOf(c.checks)];
      if (got.join('\n') !== want.join('\n'))
        different.push({ name: c.name, got, want, report: report.checks });
    }
    expect(cases.length).toBeGreaterThan(100);
    console.info(`${cases.length} bundles, ${different.length} differ`);
    expect(different.slice(0, 3)).toEqual([]);
  });
});
