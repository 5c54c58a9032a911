/** Holds a proof against what landed on the chain, as far as a node can say. */
import { base58 } from '@scure/base';
import { u64 } from './allocation.js';
import type { Anchor } from './anchor.js';
import { same } from './bytes.js';
import { Fault, Rules, Unreachable, within } from './fault.js';
import type { Source } from './files.js';
import { type Landing, landing } from './landing.js';
import {
  hasReceipt,
  parseRow,
  parseTransaction,
  ROW_HEADER,
  SOL,
  TRANSACTION_HEADER,
  type Transaction,
} from './line.js';
import type { Manifest } from './manifest.js';
import { AT_ONCE, type Node } from './node.js';
import { type Receipts, readReceipts } from './receipt.js';
import type { CheckName, Report } from './report.js';
import { of } from './statement.js';
import { walk } from './table.js';

const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';

/** What to ask of the chain. */
export interface Chain {
  readonly node: Node;
  /** Whether every transaction of the run is looked up too, and not the anchor alone. */
  readonly transactions: boolean;
}

/** Checks what landed. What a node cannot say is "not checked". */
export async function checkChain(
  chain: Chain,
  source: Source,
  report: Report,
  progress: (done: number, total: number) => void,
): Promise<void> {
  const { anchor: a, manifest: m } = report;
  if (!a || !m) return;
  const { node } = chain;
  const total = chain.transactions ? Number(m.transactions.lines) + 2 : 2;
  progress(0, total);
  await ask(report, 'wallet on chain', async () => {
    const withdrawer = await withdrawerOf(node, m.mint);
    if (withdrawer !== a.wallet)
      throw new Fault(
        `the tax of ${m.mint} is ${withdrawer ?? 'nobody'}'s to withdraw, and ${a.wallet} signed the anchor`,
      );
    return "the anchor's signer is who may withdraw the token's tax";
  });
  progress(1, total);
  await ask(report, 'anchor on chain', () => anchorLanded(node, a, m));
  progress(2, total);
  if (!chain.transactions) {
    report.skip(
      'transactions on chain',
      `the ${m.transactions.lines} transactions of the run were not looked up`,
    );
    return;
  }
  await ask(report, 'transactions on chain', async () => {
    const paid = await payments(source, m).catch((cause: unknown) => {
      throw within('the rows cannot be read', cause);
    });
    await landings(node, source, m, paid, (done) => progress(2 + done, total));
    return `all ${m.transactions.lines} landed, and moved what the rows say, to the unit`;
  });
}

/** Makes a check; nothing is said of the proof when nobody answers. */
async function ask(report: Report, name: CheckName, check: () => Promise<string>): Promise<void> {
  try {
    await report.note(name, check);
  } catch (cause) {
    // What a node makes up may be of any form: that is no fault of the proof, and no praise.
    report.skip(name, cause instanceof Unreachable ? cause.message : "the node's answer cannot be read");
  }
}

/** Who may withdraw the tax that is withheld of a mint; null when nobody may. */
async function withdrawerOf(node: Node, mint: string): Promise<string | null> {
  const account = await node.account(mint);
  if (!account) throw new Fault(`there is no mint ${mint}`);
  const [begin, kind, FEE_CONFIG] = [166, 165, 1];
  const { data } = account;
  if (account.owner !== TOKEN_2022 || data[kind] !== 1) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = begin; at + 4 <= data.length; ) {
    const [type, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    if (type === FEE_CONFIG && length >= 64) {
      const key = data.subarray(at + 36, at + 68);
      return key.some((byte) => byte !== 0) ? base58.encode(key) : null;
    }
    if (type === 0) break;
    at += 4 + length;
  }
  return null;
}

/** The very bytes that were verified are on the chain: so is their memo, by their signer. */
async function anchorLanded(node: Node, a: Anchor, m: Manifest): Promise<string> {
  const landed = await node.transaction(a.signature);
  if (!landed) throw await unknown(node, a.signature, m.snapshot.chainSlot);
  if (landed.failed) throw new Fault(`${a.signature} failed: ${landed.failed}`);
  if (!same(landed.raw, a.raw))
    throw new Fault(`${a.signature} is another transaction on the chain than in the proof`);
  if (!landed.finalized)
    throw new Unreachable(
      `${a.signature} landed at slot ${landed.slot}, and is not final yet: ask again in a minute`,
    );
  return `${a.signature} landed at slot ${landed.slot} and is final; its memo has the root ${a.root}`;
}

/** What it means that a node does not know a transaction that was sent after a slot. */
async function unknown(node: Node, signature: string, after: bigint): Promise<Error> {
  const first = await node.remembers();
  if (first !== null && first <= after) return new Fault(`${signature} has not landed`);
  return new Unreachable(
    first === null
      ? `the node does not know ${signature}, nor say how far back it remembers`
      : `the node has forgotten what was before slot ${first}: ask one with the whole history`,
  );
}

/** What a row says that a transaction moved. */
interface Payment {
  readonly owner: string;
  readonly asset: string;
  readonly paid: bigint;
  readonly received: bigint;
}

/** Gathers the rows by the transaction that paid them. */
async function payments(source: Source, m: Manifest): Promise<Map<string, Payment[]>> {
  const by = new Map<string, Payment[]>();
  const add = (signature: string, payment: Payment) => {
    const list = by.get(signature);
    if (list) list.push(payment);
    else by.set(signature, [payment]);
  };
  for await (const { owner, asset, paid, received, signature } of walk(
    source,
    m.rows,
    ROW_HEADER,
    0n,
    (line) => parseRow(line, by),
  ))
    if (paid > 0n) add(signature, { owner, asset, paid, received });
  for (const { asset, creator: c } of m.legs)
    if (c.paid > 0n)
      add(c.signature, { owner: m.settings.developerWallet, asset, paid: c.paid, received: c.received });
  return by;
}

/** Holds each transaction against what it was for, a few at a time. */
async function landings(
  node: Node,
  source: Source,
  m: Manifest,
  paid: ReadonlyMap<string, readonly Payment[]>,
  progress: (done: number) => void,
): Promise<void> {
  const sums = { collected: 0n, burned: 0n, sold: 0n, lent: 0n, returned: 0n };
  const made = new Set<string>();
  let done = 0;
  const one = async (t: Transaction) => {
    const l = await landing(node, t.signature);
    if (!l) throw await unknown(node, t.signature, t.slot);
    if (l.failed) throw new Fault(`${t.purpose}: ${t.signature} failed: ${l.failed}`);
    if (l.slot !== t.slot)
      throw new Fault(`${t.purpose}: ${t.signature} landed at slot ${l.slot}, not ${t.slot}`);
    const receipts = receiptsOf(m, t, l, made);
    sums.lent += receipts.lent;
    sums.returned += receipts.returned;
    const change = l.change(m.wallet, m.mint);
    if (t.purpose === 'collect' && change > 0n) sums.collected += change;
    if (t.purpose === 'burn') sums.burned += l.burned(m.mint);
    if ((t.purpose === 'exchange' || t.purpose === 'fuel') && change < 0n) sums.sold -= change;
    if (t.purpose === 'creator' || t.purpose === 'pay')
      moved(m, t.signature, l, receipts.lent, paid.get(t.signature) ?? []);
    progress(++done);
  };
  let group: Transaction[] = [];
  for await (const t of walk(source, m.transactions, TRANSACTION_HEADER, 0n, parseTransaction)) {
    group.push(t);
    if (group.length < AT_ONCE) continue;
    await Promise.all(group.map(one));
    group = [];
  }
  await Promise.all(group.map(one));
  const r = new Rules();
  const own = m.statements.find((s) => s.asset === m.mint);
  // What runs that came to no proof collected is in the statement too.
  const stated = own ? of(own, 'collected') : 0n;
  r.hold(
    sums.collected <= stated,
    () => `${sums.collected} were collected on the chain, and ${stated} are stated`,
  );
  r.hold(
    sums.burned === m.split.burned,
    () => `${sums.burned} were burned on the chain, and ${m.split.burned} are stated`,
  );
  r.hold(
    sums.lent === m.receipts.lent && sums.returned === m.receipts.returned,
    () =>
      `${sums.lent} lamports were lent to receipts on the chain and ${sums.returned} returned, and ${m.receipts.lent} and ${m.receipts.returned} are stated`,
  );
  const sold = u64(m.exchange.sold + m.exchange.fuelSold);
  r.hold(sums.sold === sold, () => `${sums.sold} were sold on the chain, and ${sold} are stated`);
  r.end();
}

/** What a transaction did with receipts; `made` are those that others have made. */
function receiptsOf(m: Manifest, t: Transaction, l: Landing, made: Set<string>): Receipts {
  const at = `${t.purpose}: ${t.signature}`;
  let r: Receipts;
  try {
    r = readReceipts(m.wallet, t.purpose, l.instructions);
  } catch (cause) {
    throw within(at, cause);
  }
  if (made.has(r.made)) throw new Fault(`${at}: the receipt ${r.made} was made before`);
  if (hasReceipt(t.purpose)) made.add(r.made);
  if (t.purpose === 'anchor' || t.purpose === 'void' || t.purpose === 'return') {
    const change = l.change(m.wallet, SOL);
    if (change + l.fee() + r.lent !== r.returned)
      throw new Fault(
        `${at}: the wallet has ${change} lamports more, with a fee of ${l.fee()}, ${r.lent} lent and ${r.returned} returned`,
      );
  }
  return r;
}

/** Whether a transaction paid what the rows say, and nobody else; `lent` went to its receipt. */
function moved(m: Manifest, signature: string, l: Landing, lent: bigint, list: readonly Payment[]): void {
  const left = new Map<string, bigint>();
  for (const p of list) {
    const change = l.change(p.owner, p.asset);
    const got = change > 0n ? change : 0n;
    if (got !== p.received)
      throw new Fault(
        `${signature}: ${p.owner} received ${got} of ${p.asset}, and the row says ${p.received}`,
      );
    left.set(p.asset, (left.get(p.asset) ?? 0n) + p.paid);
  }
  for (const [asset, paid] of left) {
    const want = asset === SOL ? paid + l.fee() + lent : paid;
    const change = l.change(m.wallet, asset);
    const got = change < 0n ? -change : 0n;
    if (got !== want)
      throw new Fault(`${signature}: ${got} of ${asset} left the wallet, and the rows say ${want}`);
  }
}
