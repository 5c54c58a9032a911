import { base64 } from '@scure/base';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Node } from '../../src/proof/node.js';
import { verify } from '../../src/proof/verify.js';
import { type Case, linesOf, readCases } from './bundle.js';
import { answer, mintAccount } from './ledger.js';

/** A node that tells what Go's verifier was told. */
function told(c: Case): Node {
  const { withdrawer, transactions } = c.chain as NonNullable<Case['chain']>;
  vi.stubGlobal('fetch', async (_: string, init: { body: string }) => {
    const { method, params } = JSON.parse(init.body) as {
      method: string;
      params: [string, { encoding?: string }];
    };
    let result: unknown = null;
    if (method === 'getAccountInfo') result = mintAccount(withdrawer);
    if (method === 'getFirstAvailableBlock') result = 0;
    const tx = method === 'getTransaction' ? transactions[params[0]] : undefined;
    const raw = c.shelf.files.get(`${c.anchor}.tx`);
    if (tx && params[1].encoding === 'json') result = answer(tx);
    if (tx && raw && params[1].encoding === 'base64')
      result = {
        slot: tx.slot,
        transaction: [base64.encode(raw), 'base64'],
        meta: { err: tx.failed === '' ? null : tx.failed },
      };
    return new Response(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  });
  return new Node('http://node.example', async () => {});
}

const written = process.env.CASES;

afterEach(() => vi.unstubAllGlobals());

// `make page-check` has Go's tests write what they verify, and says where: random runs, forgeries,
// and changes of single bytes. Without it there is nothing to be held against.
describe.skipIf(!written)('both verifiers', () => {
  it('say the same of every bundle', { timeout: 120_000 }, async () => {
    const cases = readCases(written as string);
    const different: unknown[] = [];
    for (const c of cases) {
      const chain = c.chain ? { chain: { node: told(c), transactions: true } } : {};
      const report = await verify({ source: c.shelf, anchor: c.anchor, ...chain });
      const [got, want] = [linesOf(report.checks), linesOf(c.checks)];
      if (got.join('\n') !== want.join('\n'))
        different.push({ name: c.name, got, want, report: report.checks });
    }
    expect(cases.length).toBeGreaterThan(100);
    expect(cases.filter((c) => c.chain).length).toBeGreaterThan(100);
    console.info(`${cases.length} bundles, ${different.length} differ`);
    expect(different.slice(0, 3)).toEqual([]);
  });
});
