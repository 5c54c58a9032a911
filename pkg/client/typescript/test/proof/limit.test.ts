import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { atMost } from '../../src/proof/limit.js';
import { exact } from '../../src/proof/numbers.js';
import { verify } from '../../src/proof/verify.js';
import { bundleFolder, keptBundles } from './bundle.js';
import { type ChainOf, nodeOf } from './ledger.js';

const { shelf, second } = keptBundles();
const chain = exact(readFileSync(join(bundleFolder, '../chain.json'), 'utf8')) as ChainOf;
afterEach(() => vi.unstubAllGlobals());

/** Verifies with a limit of transactions, and returns how many were read. */
async function within(most: number) {
  const node = nodeOf(chain);
  const landing = vi.spyOn(node, 'landing');
  const report = await verify({ source: shelf, anchor: second, chain: { node: atMost(node, most) } });
  const asked = landing.mock.calls.map(([signature]) => signature);
  expect(new Set(asked).size).toBe(asked.length);
  return { report, asked: asked.length };
}

it('proves a run that is small enough, and reads each transaction once', async () => {
  const { report, asked } = await within(2000);
  expect(report.checks.filter((c) => c.verdict === 'FAILED')).toEqual([]);
  expect(report.complete).toBe(true);
  const exactly = await within(asked);
  expect(exactly.report.complete).toBe(true);
});

it('says of a longer one what was not walked, and proves the rest', async () => {
  const { report, asked } = await within(5);
  expect(asked).toBeLessThanOrEqual(5);
  expect([report.ok, report.complete]).toEqual([true, false]);
  const verdictOf = (name: string) => report.checks.find((c) => c.name === name);
  expect(verdictOf('anchor on chain')?.verdict).toBe('proven on the chain');
  expect(verdictOf('history')).toMatchObject({
    verdict: 'not checked',
    detail: 'the history is not walked: it takes more than 5 transactions to read',
  });
  expect(verdictOf('transactions on chain')?.verdict).toBe('not checked');
});
