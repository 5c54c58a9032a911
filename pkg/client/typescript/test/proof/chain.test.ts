import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openAnchor } from '../../src/proof/anchor.js';
import { Stopped } from '../../src/proof/fault.js';
import { readLanding } from '../../src/proof/landing.js';
import { parseTransaction, TRANSACTION_HEADER } from '../../src/proof/line.js';
import { readManifest } from '../../src/proof/manifest.js';
import { exact } from '../../src/proof/numbers.js';
import { type Asked, type Chain, checkChain, type Run } from '../../src/proof/onchain.js';
import { Report } from '../../src/proof/report.js';
import { walk } from '../../src/proof/table.js';
import { bundleFolder, keptBundles } from './bundle.js';
import { answer, type ChainOf, nodeOf, result, says, stub, type TransactionOf } from './ledger.js';

const { shelf } = keptBundles();
const kept = readFileSync(join(bundleFolder, '../chain.json'), 'utf8');
/** The chain of the kept bundles, for a test to change. */
const chain = () => exact(kept) as ChainOf;

/** The kept proofs, the first and the second. */
let first: Run;
let second: Run;
beforeAll(async () => {
  const runs: Run[] = [];
  for (const cid of [...shelf.files.keys()].filter((n) => n.endsWith('.tx')).map((n) => n.slice(0, -3))) {
    const anchor = await openAnchor(shelf, cid);
    const manifest = await readManifest(shelf, anchor.manifest);
    const previous = manifest.previous === '' ? null : await readManifest(shelf, manifest.previous);
    let previousAnchor = '';
    for await (const t of walk(shelf, manifest.transactions, TRANSACTION_HEADER, 0n, parseTransaction))
      if (t.purpose === 'anchor') previousAnchor = t.signature;
    runs[Number(manifest.number) - 1] = { source: shelf, anchor, manifest, previous, previousAnchor };
  }
  [first, second] = runs as [Run, Run];
});
afterEach(() => vi.unstubAllGlobals());

async function ask(asked: Chain, run = second): Promise<Report> {
  const report = new Report();
  await checkChain(run, asked, report);
  return report;
}

const verdicts = (report: Report) => Object.fromEntries(report.checks.map((c) => [c.name, c.verdict]));
const PROVEN = 'proven on the chain';
const good = {
  'wallet on chain': PROVEN,
  'anchor on chain': PROVEN,
  history: PROVEN,
  'transactions on chain': PROVEN,
  'books on chain': PROVEN,
  anchors: PROVEN,
  'later anchors': PROVEN,
  'holders on chain': PROVEN,
};
/** What is said when no history can be walked. */
const UNKNOWN = 'not checked';
const silent = {
  'wallet on chain': UNKNOWN,
  'anchor on chain': UNKNOWN,
  history: UNKNOWN,
  'transactions on chain': UNKNOWN,
};

describe('the chain', () => {
  it('is walked from anchor to anchor, and tells how far it is', async () => {
    for (const run of [first, second]) {
      const told: Asked[] = [];
      const report = await ask({ node: nodeOf(chain()), progress: (p) => told.push(p) }, run);
      expect(report.checks.filter((c) => c.verdict !== PROVEN)).toEqual([]);
      expect(verdicts(report)).toEqual(run === first ? { ...good, launch: PROVEN } : good);
      const last = told.at(-1) as Asked;
      expect(last.pages).toBeGreaterThan(3);
      expect(last.transactions).toBe(last.total);
      expect(told.every((p, i) => i === 0 || p.transactions >= (told[i - 1] as Asked).transactions)).toBe(
        true,
      );
    }
  });

  it('is walked through pages of any length, with few questions at once', async () => {
    const of = chain();
    let [now, most] = [0, 0];
    const node = stub(async (method, [name, options]) => {
      most = Math.max(most, ++now);
      await new Promise((done) => setTimeout(done, 0));
      now--;
      return says(result(of, method, [name, { ...options, limit: 2 }]));
    });
    expect(verdicts(await ask({ node }))).toEqual(good);
    expect(most).toBe(8);
  });

  const payment = (c: ChainOf) => c.transactions.at(-2) as TransactionOf;
  const failing = (...names: (keyof typeof good)[]) => ({
    ...good,
    ...Object.fromEntries(names.map((name) => [name, 'FAILED'])),
  });
  const upTo = (last: keyof typeof good, verdict: string) => {
    const names = Object.keys(good);
    return Object.fromEntries([
      ...names.slice(0, names.indexOf(last)).map((name) => [name, PROVEN]),
      [last, verdict],
    ]);
  };
  it.each<[string, object, (c: ChainOf) => unknown]>([
    [
      'another wallet may withdraw the tax',
      failing('wallet on chain'),
      (c) => (c.withdrawer = second.manifest.creator),
    ],
    [
      'the anchor failed',
      failing('anchor on chain', 'later anchors'),
      (c) => ((c.transactions.at(-1) as TransactionOf).failed = 'no'),
    ],
    ['a payment is hidden', upTo('history', 'FAILED'), (c) => c.transactions.splice(-2, 1)],
    [
      'a payment failed',
      failing('transactions on chain', 'books on chain'),
      (c) => (payment(c).failed = 'no'),
    ],
    [
      'a payment begins without its receipt',
      failing('transactions on chain', 'books on chain'),
      (c) => payment(c).instructions.splice(0, 1),
    ],
    [
      'the mint has another supply',
      failing('holders on chain'),
      (c) => {
        const own = second.manifest.wallet;
        for (const t of c.transactions) if (t.accounts[0]?.address !== own) t.instructions.length = 0;
      },
    ],
  ])('is told from the proof when %s', async (_, want, bend) => {
    const bent = chain();
    bend(bent);
    expect(verdicts(await ask({ node: nodeOf(bent) }))).toEqual(want);
  });

  const notWalked = { ...upTo('history', UNKNOWN), 'transactions on chain': PROVEN };
  it.each([
    ['twice', notWalked],
    ['reversed', notWalked],
    ['endless', notWalked],
    ['nothing older', notWalked],
    ['shuffled', good],
  ])('is not walked when the node lists it %s, except for slots in another order', async (lie, want) => {
    expect(verdicts(await ask({ node: nodeOf({ ...chain(), lie }) }))).toEqual(want);
  });

  it('is not walked without the proof before', async () => {
    expect(verdicts(await ask({ node: nodeOf(chain()) }, { ...second, previous: null }))).toEqual(notWalked);
  });

  it('has no say when the node has forgotten, or does not say how much it remembers', async () => {
    const none = { ...chain(), transactions: [] };
    for (const remembers of [1_000, null]) {
      const node = stub((method, params) => says(result(none, method, params, remembers as number)));
      expect(verdicts(await ask({ node }))).toEqual({ ...silent, 'wallet on chain': PROVEN });
    }
    const report = await ask({ node: nodeOf(none) });
    expect(verdicts(report)).toEqual({ ...upTo('anchor on chain', 'FAILED'), history: 'FAILED' });
  });

  it('has no say when the node is busy or refuses', async () => {
    for (const status of [429, 403, 500]) {
      let asked = 0;
      const node = stub(() => {
        asked++;
        return new Response('', { status });
      });
      expect(verdicts(await ask({ node }))).toEqual(silent);
      expect(asked % 5 === 0).toBe(status !== 403);
    }
  });

  it('has no say when the node talks nonsense', async () => {
    for (const told of ['nonsense', {}, { value: {}, meta: {}, slot: 'x', transaction: 5 }, []])
      expect(verdicts(await ask({ node: stub(() => says(told)) }))).toEqual(silent);
  });

  it('is asked again after what passes, later each time', async () => {
    const of = chain();
    const waits: number[] = [];
    let [n, fails] = [0, 4];
    const node = stub(
      (method, params) =>
        n++ > 20 && fails-- > 0 ? new Response('', { status: 429 }) : says(result(of, method, params)),
      { sleep: async (ms) => void waits.push(ms) },
    );
    expect(verdicts(await ask({ node }))).toEqual(good);
    expect(waits.length).toBe(4);
    expect(waits.every((ms) => [500, 1000, 2000, 4000].includes(ms))).toBe(true);
  });

  it('is asked no more when the reader stops', async () => {
    const [of, stop] = [chain(), new AbortController()];
    let asked = 0;
    const node = stub(
      (method, params) => {
        if (++asked === 10) stop.abort();
        return says(result(of, method, params));
      },
      { signal: stop.signal },
    );
    await expect(ask({ node })).rejects.toBeInstanceOf(Stopped);
    expect(asked).toBeLessThan(20);
  });
});

describe("a node's answer", () => {
  const t: TransactionOf = {
    signature: 's',
    slot: 7,
    failed: '',
    fee: 5_000,
    signers: 1,
    accounts: ['a', 'ComputeBudget111111111111111111111111111111', 'p'].map((address) => ({
      address,
      before: '18446744073709551615',
      after: 1,
    })),
    tokens: [],
    instructions: [
      // 1,400,000 units, at a price of 10^6 micro-lamports.
      {
        program: 'ComputeBudget111111111111111111111111111111',
        accounts: [],
        data: 'K1FDJ7',
        top: 0,
        inner: false,
      },
      {
        program: 'ComputeBudget111111111111111111111111111111',
        accounts: [],
        data: '3QCwqmHZ4mdq',
        top: 1,
        inner: false,
      },
      { program: 'p', accounts: ['a'], data: '', top: 2, inner: false },
      { program: 'p', accounts: [], data: '2', top: 2, inner: true },
    ],
  };
  const read = (version: number | 'legacy') => readLanding('s', answer(t, version) as never);

  it('takes no instruction for a fee that the version does not heed', () => {
    expect(read('legacy').fee).toBe(1_405_000n);
    expect(read(1).fee).toBe(5_000n);
  });

  it('has each instruction followed by those that it invoked', () => {
    expect(read(1).instructions.map((i) => [i.program, i.top, i.inner, i.data.length])).toEqual([
      ['ComputeBudget111111111111111111111111111111', 0, false, 5],
      ['ComputeBudget111111111111111111111111111111', 1, false, 9],
      ['p', 2, false, 0],
      ['p', 2, true, 1],
    ]);
  });

  it('is read without rounding', () => {
    expect(read(1).lamports('a')).toMatchObject({ before: 2n ** 64n - 1n, after: 1n });
    expect(
      exact(
        '{"a":18446744073709551615,"b":[1,"18446744073709551615","\\\\\\"1234567890123456789"],"c":0.1234567890123456789}',
      ),
    ).toEqual({
      a: '18446744073709551615',
      b: [1, '18446744073709551615', '\\"1234567890123456789'],
      c: Number('0.1234567890123456789'),
    });
  });

  it('is refused when a number is not whole', async () => {
    for (const slot of [1.5, -1, 1e300, '1e3', null]) {
      const node = stub(() => says([{ signature: 's', slot }]));
      await expect(node.page('a', '')).rejects.toThrow('read exactly');
    }
    expect(await stub(() => says([{ signature: 's', slot: 5 }])).page('a', '')).toEqual([
      { signature: 's', slot: 5n },
    ]);
  });
});
