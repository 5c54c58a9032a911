import { base64 } from '@scure/base';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Anchor, openAnchor } from '../../src/proof/anchor.js';
import { landing } from '../../src/proof/landing.js';
import { hasReceipt, parseRow, parseTransaction } from '../../src/proof/line.js';
import { type Manifest, readManifest } from '../../src/proof/manifest.js';
import { Node } from '../../src/proof/node.js';
import type { Report } from '../../src/proof/report.js';
import { verify } from '../../src/proof/verify.js';
import { keptBundles } from './bundle.js';
import { answer, mintAccount, offering, receipt, returned, type Told } from './ledger.js';

const { shelf, second } = keptBundles();
const MUCH = 10n ** 15n;
const FEE = 5000n;
const RENT = 650_240n;

interface Change {
  owner: string;
  asset: string;
  by: bigint;
}
interface Tx {
  version?: number;
  slot: bigint;
  err: unknown;
  raw?: string;
  changes: Change[];
  burns?: { mint: string; amount: bigint };
  instructions: Told[];
}

let a: Anchor;
let m: Manifest;
beforeAll(async () => {
  a = await openAnchor(shelf, second);
  m = await readManifest(shelf, a.manifest);
});
afterEach(() => vi.unstubAllGlobals());

const linesOf = (header: string) =>
  [...shelf.files.values()]
    .map((c) => new TextDecoder().decode(c))
    .filter((t) => t.startsWith(header))
    .map((t) => t.trim().split('\n').slice(1));

/** What landed when everything went as the run says. */
function ledger(): Map<string, Tx> {
  const landed = new Map<string, Tx>();
  const lists = linesOf('purpose');
  const own = lists.find((l) => l.some((line) => line.includes(m.legs[0]?.creator.signature ?? '-'))) ?? [];
  const rows = (linesOf('asset').find((l) => l.some((line) => line.startsWith('SOL,'))) ?? []).map((l) =>
    parseRow(l),
  );
  for (const t of own.map(parseTransaction)) {
    const tx: Tx = { slot: t.slot, err: null, changes: [], instructions: [] };
    if (t.purpose === 'return') {
      tx.instructions = [0, 1].map((n) => returned(m.wallet, m.wallet, n, RENT + BigInt(n)));
      tx.changes.push({ owner: m.wallet, asset: 'SOL', by: 2n * RENT + 1n });
    }
    if (t.purpose === 'collect') tx.changes.push({ owner: m.wallet, asset: m.mint, by: 500_000n });
    if (t.purpose === 'burn') tx.burns = { mint: m.mint, amount: m.split.burned };
    if (t.purpose === 'exchange')
      tx.changes.push({ owner: m.wallet, asset: m.mint, by: -(m.exchange.sold + m.exchange.fuelSold) });
    const paid = rows.filter((r) => r.signature === t.signature && r.paid > 0n).map((r) => ({ ...r }));
    const c = m.legs[0]?.creator;
    const to =
      t.purpose === 'creator' && c
        ? [{ owner: m.settings.developerWallet, asset: 'SOL', paid: c.paid, received: c.received }]
        : paid;
    for (const p of to) {
      tx.changes.push({ owner: p.owner, asset: p.asset, by: p.received });
      tx.changes.push({ owner: m.wallet, asset: p.asset, by: -p.paid });
    }
    if (hasReceipt(t.purpose)) {
      tx.instructions = [receipt(m.wallet, landed.size, RENT)];
      tx.changes.push({ owner: m.wallet, asset: 'SOL', by: -RENT });
    }
    landed.set(t.signature, tx);
  }
  landed.set(a.signature, { slot: 99n, err: null, raw: base64.encode(a.raw), changes: [], instructions: [] });
  return landed;
}

/** A transaction as a node tells it. */
function told(tx: Tx): unknown {
  const sums = new Map<string, { owner: string; asset: string; by: bigint }>();
  for (const { owner, asset, by } of [{ owner: m.wallet, asset: 'SOL', by: -FEE }, ...tx.changes]) {
    const key = `${owner} ${asset}`;
    sums.set(key, { owner, asset, by: (sums.get(key)?.by ?? 0n) + by });
  }
  const failed = tx.err === null ? '' : JSON.stringify(tx.err);
  const changes = [...sums.values()].map(({ owner, asset, by }) => ({
    owner,
    asset,
    before: Number(MUCH),
    after: Number(MUCH + by),
  }));
  const burned = tx.burns ? { [tx.burns.mint]: Number(tx.burns.amount) } : {};
  return answer({
    ...(tx.version === undefined ? {} : { version: tx.version }),
    slot: Number(tx.slot),
    failed,
    fee: Number(FEE),
    changes,
    burned,
    instructions: tx.instructions,
  });
}

interface World {
  landed: Map<string, Tx>;
  withdrawer: string;
  first: number | null;
  final: boolean;
}

/** A node that tells this, in place of the network. */
function node(world: World, status = 200): Node {
  vi.stubGlobal('fetch', async (_: string, init: { body: string }) => {
    const { method, params } = JSON.parse(init.body) as {
      method: string;
      params: [string, Record<string, string>];
    };
    const tx = method === 'getTransaction' ? world.landed.get(params[0]) : undefined;
    let result: unknown = null;
    if (method === 'getAccountInfo') result = mintAccount(world.withdrawer);
    if (method === 'getFirstAvailableBlock') result = world.first;
    if (tx && params[1]?.encoding === 'json') result = told(tx);
    if (tx?.raw && params[1]?.encoding === 'base64' && (world.final || params[1].commitment !== 'finalized'))
      result = { slot: Number(tx.slot), transaction: [tx.raw, 'base64'], meta: { err: tx.err } };
    return new Response(JSON.stringify({ jsonrpc: '2.0', id: 1, result: result ?? null }), { status });
  });
  return new Node('http://node.example', async () => {});
}

const world = (): World => ({ landed: ledger(), withdrawer: a.wallet, first: 0, final: true });

async function ask(change: (w: World) => void, status = 200, transactions = true): Promise<Report> {
  const w = world();
  change(w);
  return verify({ source: shelf, anchor: second, chain: { node: node(w, status), transactions } });
}

const onChain = (report: Report) =>
  Object.fromEntries(report.checks.filter((c) => c.name.endsWith('chain')).map((c) => [c.name, c.verdict]));
const good = { 'wallet on chain': 'ok', 'anchor on chain': 'ok', 'transactions on chain': 'ok' };

describe('the chain', () => {
  it('is held against the rows', async () => {
    const report = await ask(() => {});
    expect(report.checks.filter((c) => c.verdict === 'FAILED')).toEqual([]);
    expect(onChain(report)).toEqual(good);
  });

  const payment = () => {
    const found = [...ledger()].find(([, tx]) => tx.changes.length > 3);
    if (!found) throw new Error('no payment');
    return found[0];
  };
  const change = (of: () => string, make: (tx: Tx) => void) => (w: World) => {
    const tx = w.landed.get(of());
    if (!tx) throw new Error('no such transaction');
    make(tx);
  };
  const anchor = () => a.signature;
  it.each<[string, string, (w: World) => void]>([
    ['somebody else may withdraw', 'wallet on chain', (w) => (w.withdrawer = m.settings.developerWallet)],
    ['the anchor has not landed', 'anchor on chain', (w) => w.landed.delete(a.signature)],
    ['the anchor failed', 'anchor on chain', change(anchor, (tx) => (tx.err = 'no'))],
    [
      'the anchor is another transaction',
      'anchor on chain',
      change(anchor, (tx) => (tx.raw = base64.encode(a.raw.map((b, i) => (i === 300 ? b ^ 1 : b))))),
    ],
    ['a payment has not landed', 'transactions on chain', (w) => w.landed.delete(payment())],
    [
      'a payment failed',
      'transactions on chain',
      change(payment, (tx) => (tx.err = { InstructionError: [0, 'x'] })),
    ],
    ['a payment of another slot', 'transactions on chain', change(payment, (tx) => tx.slot++)],
    [
      'a unit less arrived',
      'transactions on chain',
      change(payment, (tx) => ((tx.changes[0] as Change).by -= 1n)),
    ],
    [
      'more left the wallet',
      'transactions on chain',
      change(payment, (tx) => ((tx.changes[1] as Change).by -= 1n)),
    ],
    [
      'less was burned',
      'transactions on chain',
      (w) => {
        for (const tx of w.landed.values()) if (tx.burns) tx.burns.amount -= 1n;
      },
    ],
    [
      'another mint was burned',
      'transactions on chain',
      (w) => {
        for (const tx of w.landed.values()) if (tx.burns) tx.burns.mint = m.wallet;
      },
    ],
    [
      'more was collected or sold',
      'transactions on chain',
      (w) => {
        for (const tx of w.landed.values())
          for (const c of tx.changes) if (c.asset === m.mint) c.by = (c.by * 3n) / 2n;
      },
    ],
    [
      'a receipt is overfunded',
      'transactions on chain',
      change(payment, (tx) => (tx.instructions = [receipt(m.wallet, 77, 890_881n)])),
    ],
    [
      'a payment of version 1 hides what left the wallet as a fee',
      'transactions on chain',
      change(payment, (tx) => {
        tx.version = 1;
        tx.instructions.push(...offering(1_000_000n));
        tx.changes.push({ owner: m.wallet, asset: 'SOL', by: -1_000_000n });
      }),
    ],
    ['a payment has no receipt', 'transactions on chain', change(payment, (tx) => (tx.instructions = []))],
    [
      'a payment has two receipts',
      'transactions on chain',
      change(payment, (tx) => tx.instructions.push(receipt(m.wallet, 77, RENT))),
    ],
    [
      'a receipt is of a stranger',
      'transactions on chain',
      change(payment, (tx) => (tx.instructions = [receipt(m.settings.developerWallet, 77, RENT)])),
    ],
    [
      'a receipt returns elsewhere',
      'transactions on chain',
      (w) => {
        for (const tx of w.landed.values())
          if (tx.instructions.length === 2)
            tx.instructions[0] = returned(m.wallet, m.settings.developerWallet, 0, RENT);
      },
    ],
  ])('is told from the proof when %s', async (_, name, bend) => {
    const report = await ask(bend);
    expect(report.ok).toBe(false);
    expect(onChain(report)).toEqual({ ...good, [name]: 'FAILED' });
  });

  it.each([
    [undefined, 1_005_000n],
    [1, 5_000n],
  ])('takes no instruction for a fee that version %s does not heed', async (version, fee) => {
    const w = world();
    change(payment, (tx) => {
      if (version !== undefined) tx.version = version;
      tx.instructions.push(...offering(1_000_000n));
    })(w);
    expect((await landing(node(w), payment()))?.fee()).toBe(fee);
  });

  it('has no say when the node has forgotten, or does not say how much it remembers', async () => {
    for (const first of [1_000, null]) {
      const report = await ask((w) => {
        w.landed.clear();
        w.first = first;
      });
      expect(report.ok).toBe(true);
      expect(onChain(report)).toEqual({
        'wallet on chain': 'ok',
        'anchor on chain': 'not checked',
        'transactions on chain': 'not checked',
      });
    }
  });

  it('has no say when the anchor is not final, the node is busy, or nobody asked for the rest', async () => {
    expect(onChain(await ask((w) => (w.final = false)))['anchor on chain']).toBe('not checked');
    expect(new Set(Object.values(onChain(await ask(() => {}, 429))))).toEqual(new Set(['not checked']));
    expect(new Set(Object.values(onChain(await ask(() => {}, 403))))).toEqual(new Set(['not checked']));
    expect(onChain(await ask(() => {}, 200, false))).toEqual({
      ...good,
      'transactions on chain': 'not checked',
    });
  });

  it('has no say when the node talks nonsense', async () => {
    for (const result of ['nonsense', {}, { value: {}, meta: {}, slot: 'x', transaction: 5 }, []]) {
      vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ jsonrpc: '2.0', id: 1, result })));
      const chain = { node: new Node('http://node.example', async () => {}), transactions: true };
      const report = await verify({ source: shelf, anchor: second, chain });
      expect(new Set(Object.values(onChain(report)))).toEqual(new Set(['not checked']));
    }
  });
});
