/** Walks the histories of the wallet and of its token accounts, from anchor to anchor. */
import { type Anchor, type Memo, readMemo } from './anchor.js';
import { statementOf } from './books.js';
import { address, textOf } from './bytes.js';
import { type Listed, type Teller, TOKEN, TOKEN_2022, type Transaction } from './chain.js';

import { associated } from './derive.js';
import { Fault } from './fault.js';
import type { Source } from './files.js';
import { history, IncompleteHistoryError, landing, merge, read, type Span } from './history.js';
import { MEMO_PROGRAM, parseAsset, SOL } from './line.js';
import type { Manifest } from './manifest.js';
import { State } from './state.js';

/** The proof that is verified, and what is known of the one before. */
export interface Run {
  readonly source: Source;
  readonly anchor: Anchor;
  readonly manifest: Manifest;
  /** The manifest before; null where it is not at hand, or does not fit. */
  readonly previous: Manifest | null;
  /** The signature of the anchor before, as the list of transactions names it; empty for none. */
  readonly previousAnchor: string;
}

/** The slots after the cut by which the anchor has landed, or was sent again: a blockhash lives as long. */
const ANCHOR_SLOTS = 150n;

/** A slot by which the anchor of a proof has landed. */
export const anchoredBy = (m: Manifest): bigint => m.cut + ANCHOR_SLOTS;

/** A token account of the wallet. */
export interface Followed {
  readonly asset: string;
  readonly address: string;
}

/** The wallet's accounts for the token and for what is paid, in the order of the statements. */
export function accountsOf(m: Manifest): Followed[] {
  const list = [{ asset: m.mint, address: m.tokenAccount }];
  for (const l of m.legs) {
    const asset = parseAsset(l.asset);
    if (asset === SOL || asset === m.mint) continue;
    address(l.program);
    list.push({ asset, address: associated(m.wallet, asset, l.program) });
  }
  return list;
}

/**
 * The further accounts that the anchor names: the mint and the wallet's token accounts, so that it
 * is in their histories, and the token programs, because mainnet shows balances of tokens only in
 * transactions that name one.
 */
export const anchorAccounts = (m: Manifest): string[] => [
  m.mint,
  ...accountsOf(m).map((a) => a.address),
  TOKEN,
  TOKEN_2022,
];

/** What the histories show, after the cut of the proof before and up to this one's. */
export interface Walked {
  /** Those up to the cut, in an order in which each begins with what the one before has left. */
  readonly transactions: readonly Transaction[];
  /** By asset, the balances at the cut before, as far as a transaction tells, and at this one's. */
  readonly opening: ReadonlyMap<string, bigint | null>;
  readonly closing: ReadonlyMap<string, bigint | null>;
  /** What others with a memo of a proof say, between the anchor before and this one. */
  readonly anchors: readonly { readonly signature: string; readonly memo: Memo }[];
}

/** Walks. IncompleteHistoryError where the proof before is not at hand, or the node does not tell enough. */
export async function walk(run: Run, node: Teller): Promise<Walked> {
  const { manifest: m, anchor, previous, previousAnchor } = run;
  const fresh = m.walletsBefore.length > 0; // the wallet begins with the rotation
  if (!fresh && m.previous !== '' && (!previous || previousAnchor === ''))
    throw new IncompleteHistoryError('the proof before is not at hand');
  const by = anchoredBy(m);
  const [seen, after] = fresh ? ['', 0n] : [previousAnchor, previous?.cut ?? 0n];
  const span: Span = { newest: anchor.signature, by, seen, after };
  const accounts = accountsOf(m);
  const state = new State(m.wallet, null, new Map());
  const lists: Listed[][] = [];
  for (const [i, of] of [{ asset: SOL, address: m.wallet }, ...accounts].entries()) {
    // At the cut before; the first proof begins with nothing. Of an asset that no proof was about
    // nothing is known, and the anchor before need not name its account.
    const closed = previous && !fresh ? (statementOf(previous, of.asset)?.closing ?? null) : 0n;
    if (i === 0) state.lamports = closed;
    else state.tokens.set(of.address, closed);
    lists.push(await history(node, of.address, closed === null ? { ...span, seen: '' } : span));
  }
  let list = merge(lists);
  if (list.at(-1)?.signature !== anchor.signature) {
    // Others of the anchor's slot may have been listed after it.
    list = list.filter((l) => l.signature !== anchor.signature);
    list.push({ signature: anchor.signature, slot: (await landing(node, anchor.signature, m.cut, by)).slot });
  }
  const transactions = await read(node, list);
  state.order(transactions);
  return follow(run, accounts, state, transactions);
}

/** Follows the balances through the transactions. */
function follow(
  { manifest: m, anchor, previousAnchor }: Run,
  accounts: readonly Followed[],
  state: State,
  transactions: readonly Transaction[],
): Walked {
  const now = () =>
    new Map([
      [SOL, state.lamports],
      ...accounts.map((of) => [of.asset, state.tokens.get(of.address) ?? null] as const),
    ]);
  const opening = now();
  let closing: Map<string, bigint | null> | null = null;
  const within: Transaction[] = [];
  const anchors: { signature: string; memo: Memo }[] = [];
  for (const t of transactions) {
    if (!closing && t.slot > m.cut) closing = now();
    for (const of of accounts) {
      // What a transaction is the first to tell was there before.
      if (!t.showsTokens || !t.lamports(of.address) || state.tokens.get(of.address) !== null) continue;
      const before = t.tokensOf(of.address, m.wallet, false);
      opening.set(of.asset, before);
      state.tokens.set(of.address, before);
    }
    state.follow(t);
    if (!closing) within.push(t);
    const memo = memoOf(m, t);
    if (memo && t.signature !== anchor.signature && t.signature !== previousAnchor)
      anchors.push({ signature: t.signature, memo });
  }
  return { transactions: within, opening, closing: closing ?? new Map(), anchors };
}

/**
 * The memo of a proof that a transaction has: it succeeded, the wallet pays for it, and the memo is
 * in the message itself.
 */
export function memoOf(m: Pick<Manifest, 'wallet'>, t: Transaction): Memo | null {
  if (t.failed !== '' || t.payer !== m.wallet) return null;
  for (const { program, inner, data } of t.instructions) {
    if (program !== MEMO_PROGRAM || inner) continue;
    try {
      return readMemo(textOf(data));
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause;
    }
  }
  return null;
}
