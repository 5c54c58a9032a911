/**
 * Verifies the proof of a run: recomputes who gets what from the balances, accounts for every
 * unit, and ties all of it to the signed anchor. It was written apart from the service's own
 * verifier, and makes the same checks under the same names.
 */
import { openAnchor } from './anchor.js';
import { runBefore } from './before.js';
import { type Chain, checkChain } from './chain.js';
import { Fault } from './fault.js';
import type { Source } from './files.js';
import { type Purpose, parseTransaction, SOL, TRANSACTION_HEADER } from './line.js';
import { type Manifest, readManifest } from './manifest.js';
import { Report } from './report.js';
import { checkRows } from './rows.js';
import { checkLegs, checkRun, checkSnapshot, checkSplit, checkStatements } from './rules.js';
import { of } from './statement.js';
import { walk } from './table.js';

/** What is done at the moment, and how far it is. */
export interface Progress {
  readonly step: 'files' | 'rows' | 'chain';
  readonly done: number;
  readonly total: number;
}

/** What to verify, and with what. */
export interface Order {
  readonly source: Source;
  /** The content id of the anchor. */
  readonly anchor: string;
  /** Which run the proof is to be of; without it, any. */
  readonly asked?: { readonly mint: string; readonly runId: string };
  /** Asked what landed; without it the report says that nobody was. */
  readonly chain?: Chain;
  readonly progress?: (progress: Progress) => void;
}

/** Verifies. What is wrong with the proof is in the report; Unreachable is thrown. */
export async function verify(order: Order): Promise<Report> {
  const report = new Report();
  const progress = order.progress ?? (() => {});
  progress({ step: 'files', done: 0, total: 1 });
  if (!(await anchorAndManifest(order, report))) return report;
  const m = report.manifest as Manifest;
  if (order.asked && !(await report.note('asked for', () => checkAsked(m, order.asked)))) return report;
  await arithmetic(report, m);
  const previous = await runBefore(order.source, report, m);
  const pays = new Map<string, boolean>();
  await report.note(
    'transactions',
    async () => `${await transactions(order.source, m, pays)} are named, each once`,
  );
  const total = Number(m.rows.lines);
  progress({ step: 'rows', done: 0, total });
  const beside = {
    source: order.source,
    m,
    previous,
    pays,
    progress: (done: number) => progress({ step: 'rows', done, total }),
  };
  await report.note('rows', async () => {
    await checkRows(beside);
    return `${m.rows.lines} rows have the root in the memo; each share is the balance's part of the total, rounded down, and the columns add up`;
  });
  report.skip('nothing else', 'the files are not all in one place that can be listed');
  if (order.chain)
    await checkChain(order.chain, order.source, report, (done, all) =>
      progress({ step: 'chain', done, total: all }),
    );
  else report.skip('chain', 'no node was asked');
  return report;
}

async function anchorAndManifest(order: Order, report: Report): Promise<boolean> {
  const signed = await report.note('anchor', async () => {
    report.anchor = await openAnchor(order.source, order.anchor);
    return `${report.anchor.wallet} signed the memo of run ${report.anchor.runId}`;
  });
  const a = report.anchor;
  if (!signed || !a) return false;
  return report.note('manifest', async () => {
    const m = await readManifest(order.source, a.manifest);
    if (m.wallet !== a.wallet)
      throw new Fault(`the manifest is of the wallet ${m.wallet}, and ${a.wallet} signed the anchor`);
    if (m.runId !== a.runId)
      throw new Fault(`the manifest is of run ${m.runId}, and the anchor of ${a.runId}`);
    if (m.rows.root !== a.root)
      throw new Fault(`the rows have the root ${m.rows.root}, and the memo ${a.root}`);
    report.manifest = m;
    return "its hash, the rows' root and the run are those of the memo";
  });
}

/** A good proof of another run proves nothing here. */
function checkAsked(m: Manifest, asked: Order['asked']): string {
  if (asked && (m.mint !== asked.mint || m.runId !== asked.runId))
    throw new Fault(
      `it is of run ${m.runId} of ${m.mint}, and ${asked.runId} of ${asked.mint} was asked for`,
    );
  return 'it is the run that was asked for';
}

/** What follows from the manifest alone. */
async function arithmetic(report: Report, m: Manifest): Promise<void> {
  const { snapshot: s, split, exchange } = m;
  const note = (name: Parameters<Report['note']>[0], check: (m: Manifest) => void, detail: string) =>
    report.note(name, () => {
      check(m);
      return detail;
    });
  const slot = `${m.slot.written.slice(0, 16).replace('T', ' ')}Z`;
  await note('run', checkRun, `run ${m.runId} of the token ${m.mint}, slot ${slot}`);
  await note(
    'snapshot',
    checkSnapshot,
    `${s.eligible.owners} owners share and ${s.leftOut.owners} are left out; with the tax withheld they have the supply of ${s.supply}, at slot ${s.chainSlot}`,
  );
  await note(
    'split',
    checkSplit,
    `of ${split.spendable}, the run took ${split.slice}: ${split.burned} burned, ${exchange.sold} sold, ${split.unsoldAfter} wait`,
  );
  await note(
    'division',
    checkLegs,
    `${exchange.proceeds} came in; creator and holders have their parts of it`,
  );
  await note('conservation', checkStatements, `${m.statements.length} statements balance to the unit`);
  for (const statement of m.statements) {
    const lost = of(statement, 'undecided');
    if (lost > 0n)
      report.skip(
        'undecided',
        `${lost} of ${statement.asset} left the wallet by a transaction that the service could not decide`,
      );
    for (const e of [...statement.in, ...statement.out])
      if (e.name === 'adjustment')
        report.skip(
          'adjustment',
          `${e.amount} of ${statement.asset} are explained by the service's word alone: ${e.reason}`,
        );
  }
  // No chain can be asked of what is not named.
  for (const statement of m.statements) {
    const [lent, returned] = [of(statement, 'receiptsLent'), of(statement, 'receiptsReturned')];
    const named = m.receipts;
    if (statement.asset === SOL && (lent > named.lent || returned > named.returned))
      report.skip(
        'receipts',
        `of ${lent} lamports lent to receipts and ${returned} returned, the named transactions moved ${named.lent} and ${named.returned}: runs that came to no proof moved the rest`,
      );
  }
}

/** Reads the list of transactions: each once, and the payments into `pays`. */
async function transactions(source: Source, m: Manifest, pays: Map<string, boolean>): Promise<bigint> {
  const seen = new Map<string, Purpose>();
  for await (const t of walk(source, m.transactions, TRANSACTION_HEADER, 0n, parseTransaction)) {
    if (seen.has(t.signature)) throw new Fault(`${t.signature} is named twice`);
    seen.set(t.signature, t.purpose);
    if (t.purpose === 'pay') pays.set(t.signature, false);
  }
  for (const l of m.legs) {
    if (l.creator.signature !== '' && seen.get(l.creator.signature) !== 'creator')
      throw new Fault(`the creator was paid by ${l.creator.signature}, which is not named as that`);
  }
  return m.transactions.lines;
}
