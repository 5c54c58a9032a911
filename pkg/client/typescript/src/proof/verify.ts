/**
 * Verifies the proof of a run: recomputes who gets what from the balances, accounts for every
 * unit, ties all of it to the signed anchor, and with a node to what landed. It was written apart
 * from the service's own verifier, and makes the same checks under the same names.
 */
import { OldProof, openAnchor } from './anchor.js';
import { runBefore } from './before.js';
import { statementOf } from './books.js';
import { Fault } from './fault.js';
import type { Source } from './files.js';
import { checkHeldBefore } from './held.js';
import { SOL } from './line.js';
import { isDistribution, type Manifest, previousHash, readManifest, type Statement } from './manifest.js';
import { checkTransactions, type Named } from './named.js';
import { type Chain, checkChain } from './onchain.js';
import { checkOrder, orderHash } from './order.js';
import { LIMITS, Report } from './report.js';
import { checkRows } from './rows.js';
import { checkLegs, checkRun, checkSnapshot, checkSplit, checkStatements, creatorSums } from './rules.js';
import { type Name, of } from './statement.js';
import { anchorAccounts } from './walk.js';

/** What is done at the moment, and how far it is: in rows, or in transactions of the chain. */
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
  /** Asked what landed; without it the report states that no node was. */
  readonly chain?: Chain;
  readonly progress?: (progress: Progress) => void;
}

/**
 * Verifies. What is wrong with the proof is in the report; Unreachable is thrown when files cannot
 * be fetched and nothing else refutes the proof, and Stopped when the node's signal is aborted.
 */
export async function verify(order: Order): Promise<Report> {
  const report = await checkAll(order);
  if (report.unreachable && !report.refuted) throw report.unreachable;
  return report;
}

async function checkAll(order: Order): Promise<Report> {
  const report = new Report();
  const { source } = order;
  const progress = order.progress ?? (() => {});
  progress({ step: 'files', done: 0, total: 1 });
  if (!(await checkAnchor(source, order.anchor, report)) || !(await checkManifest(source, report)))
    return report;
  const m = report.manifest as Manifest;
  if (order.asked && !(await report.note('asked for', () => checkAsked(m, order.asked)))) return report;
  await arithmetic(report, m);
  trusted(report, m);
  await settings(report, m);
  const previous = await runBefore(source, report, m);
  spendable(report, m, previous);
  const named: Named = { pays: new Map(), late: new Map(), previousAnchor: '' };
  await report.note('transactions', async () => {
    await checkTransactions(source, m, previous, report, named);
    return `${m.transactions.lines} are named, each once`;
  });
  const total = Number(m.rows.lines);
  progress({ step: 'rows', done: 0, total });
  const { pays, late } = named;
  const told = (done: number) => progress({ step: 'rows', done, total });
  await report.note('rows', async () => {
    report.leftOnTrust = await checkRows({ source, m, previous, pays, late, progress: told });
    return `${m.rows.lines} rows have the root in the memo; each share is the balance's part of the total, rounded down, and the columns add up`;
  });
  await checkHeldBefore(source, report, m, previous);
  if (order.chain) {
    const { chain } = order;
    const run = { source, anchor: report.anchor as NonNullable<Report['anchor']>, manifest: m, previous };
    await checkChain(
      { ...run, previousAnchor: named.previousAnchor },
      {
        ...chain,
        progress: (p) => {
          chain.progress?.(p);
          progress({ step: 'chain', done: p.transactions, total: p.total });
        },
      },
      report,
    );
  } else report.skip('chain', 'no node was asked: whether any of it happened');
  const left = report.leftOnTrust;
  const who = left
    ? `: ${left.owners} owners with ${left.balance} of the supply of ${m.snapshot.supply}`
    : '';
  report.checks.push(...LIMITS.map((l) => (l.name === 'left out' ? { ...l, detail: l.detail + who } : l)));
  return report;
}

async function checkAnchor(source: Source, cid: string, report: Report): Promise<boolean> {
  const opening = openAnchor(source, cid);
  const old = await opening.then(
    () => null,
    (cause: unknown) => (cause instanceof OldProof ? cause : null),
  );
  if (old) {
    report.skip('anchor', old.message);
    return false;
  }
  return report.note('anchor', async () => {
    report.anchor = await opening;
    return `${report.anchor.wallet} signed the memo of run ${report.anchor.runId}`;
  });
}

async function checkManifest(source: Source, report: Report): Promise<boolean> {
  const a = report.anchor;
  if (!a) return false;
  return report.note('manifest', async () => {
    const m = await readManifest(source, a.manifest);
    const same = <T>(here: T, there: T, message: string) => {
      if (here !== there) throw new Fault(message);
    };
    const [order, before] = [orderHash(m), previousHash(m)];
    same(m.wallet, a.wallet, `the manifest is of the wallet ${m.wallet}, and ${a.wallet} signed the anchor`);
    same(m.runId, a.runId, `the manifest is of run ${m.runId}, and the anchor of ${a.runId}`);
    same(m.rows.root, a.root, `the rows have the root ${m.rows.root}, and the memo ${a.root}`);
    same(m.number, a.number, `the manifest is of proof ${m.number}, and the anchor of proof ${a.number}`);
    same(order, a.order, `the settings' text has the hash ${order}, and the memo ${a.order}`);
    same(before, a.previous, `the manifest before is ${before}, and the memo says ${a.previous}`);
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
  await note(
    "anchor's accounts",
    () => checkNamed(m, report.anchor?.accounts ?? []),
    "the anchor names the wallet's accounts, so that it shows their balances",
  );
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
}

/** The anchor names the accounts whose balances it is to show. */
function checkNamed(m: Manifest, named: readonly string[]): void {
  const missing = anchorAccounts(m).filter((account) => !named.includes(account));
  if (missing.length > 0)
    throw new Fault(
      missing.map((a) => `the anchor does not name ${a}, so it does not show its balance`).join('\n'),
    );
}

/** Says of each statement what no transaction shows. */
function trusted(report: Report, m: Manifest): void {
  for (const s of m.statements) {
    const lost = of(s, 'undecided');
    if (lost > 0n)
      report.trust(
        'undecided',
        `${lost} of ${s.asset} left the wallet by a transaction that the service could not decide`,
      );
    for (const e of [...s.in, ...s.out])
      if (e.name === 'adjustment')
        report.trust(
          'adjustment',
          `${e.amount} of ${s.asset} are explained by the service's word alone: ${e.reason}`,
        );
    reserved(report, m, s);
  }
  for (const s of m.statements)
    if (s.asset === m.mint && of(s, 'burned') > m.split.burned)
      report.trust(
        'burns',
        `of ${of(s, 'burned')} burned, the run burned ${m.split.burned}: runs that came to no proof burned the rest`,
      );
  // No chain can be asked of what is not named.
  for (const s of m.statements) {
    const [lent, returned] = [of(s, 'receiptsLent'), of(s, 'receiptsReturned')];
    const named = m.receipts;
    if (s.asset === SOL && (lent > named.lent || returned > named.returned))
      report.trust(
        'receipts',
        `of ${lent} lamports lent to receipts and ${returned} returned, the named transactions moved ${named.lent} and ${named.returned}: runs that came to no proof moved the rest`,
      );
  }
}

/**
 * Says what the run left that it could have taken up: the float that the proof before left, what was
 * unsold, and the tax that was collected, less all that went otherwise.
 */
function spendable(report: Report, m: Manifest, previous: Manifest | null): void {
  if (!isDistribution(m) || (!previous && m.previous !== '')) return;
  const amount = (one: Manifest, name: Name) => {
    const s = statementOf(one, m.mint);
    return s ? of(s, name) : 0n;
  };
  const came = m.split.unsold + amount(m, 'collected') + (previous ? amount(previous, 'float') : 0n);
  const beyond = (all: bigint, own: bigint) => (all > own ? all - own : 0n);
  const went =
    m.split.spendable +
    amount(m, 'fuelSold') +
    amount(m, 'taxOnSending') +
    amount(m, 'adjustment') +
    beyond(amount(m, 'burned'), m.split.burned) +
    beyond(amount(m, 'sold'), m.exchange.sold);
  if (came > went)
    report.trust('spendable', `${came - went} that the run could have taken up stayed in the wallet`);
}

/**
 * Says what may be gone and nothing shows it: what rows reserve and is not held, and what is reserved
 * for the creator, which no proof can name late and the next may leave out.
 */
function reserved(report: Report, m: Manifest, s: Statement): void {
  for (const l of m.legs) {
    if (l.asset !== s.asset) continue;
    const [sent, held] = [creatorSums(l).reserved, of(s, 'reserved')];
    if (sent > 0n)
      report.trust(
        'undecided',
        `${sent} of ${s.asset} were sent to the creator, perhaps: no later proof can say`,
      );
    if (held < l.sums.reserved)
      report.trust(
        'undecided',
        `${l.sums.reserved} of ${s.asset} are reserved for holders, and ${held} are held for that`,
      );
  }
}

/** Says whose word the settings are. */
async function settings(report: Report, m: Manifest): Promise<void> {
  const { order, version } = m.settings;
  if (order === '')
    report.trust(
      'settings',
      `that ${m.creator} ordered version ${version} of the settings: no signature over them is in the proof`,
    );
  else
    await report.note('settings', () => {
      checkOrder(m);
      return `${m.creator} signed version ${version} of the settings`;
    });
}
