/** The rotation of a token's wallet: the wallets before moved everything to the proof's wallet. */
import { textOf } from './bytes.js';
import {
  COMPUTE_BUDGET,
  type Instruction,
  isTokenProgram,
  type Teller,
  TOKEN,
  type Transaction,
} from './chain.js';
import { ATA_PROGRAM, associated } from './derive.js';
import { Custody } from './effect.js';
import { Fault, within } from './fault.js';
import { newAuthority } from './handover.js';
import { history, IncompleteHistoryError, read } from './history.js';
import { MAX_FEE } from './judge.js';
import { MEMO_PROGRAM, type Purpose, WRAPPED_SOL, ZERO } from './line.js';
import { type Manifest, previousHash } from './manifest.js';
import { SYSTEM_KIND } from './receipt.js';
import { burns, KIND, kindOf, readMovement } from './token.js';
import { TRUST_LIST_VERSION } from './trust.js';
import { accountsOf, memoOf, type Run } from './walk.js';

/** Begins the memo of the transaction that moves the authority over a token's tax to another wallet. */
export const ROTATION_MARK = 'tokenlaunch rotation ';

/** What a transaction may have been for without giving money away, whatever it is named. */
const HARMLESS: readonly Purpose[] = ['anchor', 'return', 'setup', 'collect', 'burn', 'exchange'];

/** Walks the histories of the wallets before, and counts the transactions that they signed. */
export async function moved(run: Run, node: Teller): Promise<number> {
  const { manifest: m, previous, previousAnchor } = run;
  let n = 0;
  for (const [i, { wallet, last, slot }] of m.walletsBefore.entries()) {
    const to = m.walletsBefore[i + 1]?.wallet ?? m.wallet;
    const first = i === 0 && m.previous !== '';
    if (first && (!previous || previousAnchor === ''))
      throw new IncompleteHistoryError('the proof before is not at hand');
    const after = first ? (previous as Manifest).cut : 0n;
    const span = { newest: last, by: slot, seen: first ? previousAnchor : '', after };
    n += empties(run, await read(node, await history(node, wallet, span)), wallet, to, i === 0);
  }
  return n;
}

/** Checks the transactions of a wallet before, the oldest first. */
function empties(
  { manifest: m, previous, previousAnchor }: Run,
  transactions: readonly Transaction[],
  wallet: string,
  to: string,
  first: boolean,
): number {
  const custody = new Custody({
    wallet,
    mint: m.mint,
    tokens: associated(wallet, m.mint, m.program),
    wrapped: associated(wallet, WRAPPED_SOL, TOKEN),
    payees: () => false,
    newer: m.trustList > TRUST_LIST_VERSION,
  });
  const closed = new Set<string>();
  let [signed, anchored] = [0, false];
  for (const t of transactions) {
    if (!t.signedBy(wallet)) continue;
    signed++;
    if (t.fee > MAX_FEE || t.payer !== wallet)
      throw new Fault(
        `${t.signature}: its fee is ${t.fee} lamports of ${t.payer}, at most ${MAX_FEE} of the wallet are one`,
      );
    if (t.failed !== '') continue;
    const memo = memoOf({ wallet }, t);
    if (memo) {
      if (!first || m.previous === '' || memo.hash !== previousHash(m) || memo.number + 1n !== m.number)
        throw new Fault(
          `${t.signature} is the anchor of proof ${memo.number} with the manifest ${memo.hash}, and not of the proof before`,
        );
      anchored = true;
    }
    try {
      gives(custody, m, t, wallet, to);
    } catch (cause) {
      throw within(t.signature, cause);
    }
    for (const a of t.tokens) if (a.ownerBefore === wallet && a.ownerAfter === ZERO) closed.add(a.address);
  }
  if (first && m.previous !== '' && !anchored)
    throw new Fault(`the anchor before, ${previousAnchor}, is in no history of the wallet`);
  const last = transactions.at(-1);
  const sol = last?.lamports(wallet);
  if (last && (!sol || sol.after > 0n || !last.signedBy(wallet)))
    throw new Fault(`${last.signature} leaves ${sol?.after ?? 0n} lamports in the wallet before`);
  if (first && previous)
    for (const { asset, address } of accountsOf(previous)) {
      const closing = previous.statements.find((s) => s.asset === asset)?.closing ?? 0n;
      if (closing > 0n && !closed.has(address))
        throw new Fault(`the wallet before had ${closing} ${asset}, and kept the account ${address}`);
    }
  return signed;
}

/** Throws when a transaction moves anything of the wallet to anyone but the next wallet. */
function gives(custody: Custody, m: Manifest, t: Transaction, wallet: string, to: string): void {
  for (const purpose of HARMLESS)
    try {
      const e = custody.effects(purpose, t.instructions, (a) => t.tokenOwner(a));
      if (!e.sent && e.unlisted === '' && (purpose !== 'exchange' || brings(t, wallet, e))) return;
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause;
    }
  const invokers = new Map<number, string>();
  for (const one of t.instructions) if (!one.inner) invokers.set(one.top, one.program);
  for (const [i, one] of t.instructions.entries())
    try {
      movesTo(m, t, one, invokers.get(one.top) ?? ZERO, wallet, to);
    } catch (cause) {
      throw within(`instruction ${i}`, cause);
    }
}

/** Whether a sale brought the wallet something. */
function brings(
  t: Transaction,
  wallet: string,
  e: { readonly lent: bigint; readonly called: boolean },
): boolean {
  const sol = t.lamports(wallet);
  if (!e.called || !sol) return false;
  return (
    sol.after + t.fee + e.lent > sol.before ||
    t.tokens.some((a) => a.ownerAfter === wallet && a.after > a.before)
  );
}

/** Checks an instruction of a rotation. */
function movesTo(
  m: Manifest,
  t: Transaction,
  one: Instruction,
  by: string,
  wallet: string,
  to: string,
): void {
  const { program, accounts, inner, data } = one;
  if (!accounts.includes(wallet) || program === COMPUTE_BUDGET) return;
  if (program === ZERO) {
    const transfer = data.length >= 4 && data[0] === SYSTEM_KIND.transfer && !data[1] && !data[2] && !data[3];
    if (inner && by === ATA_PROGRAM) return;
    if (transfer && accounts.length > 1 && (accounts[0] !== wallet || accounts[1] === to)) return;
    throw new Fault('it takes lamports of the wallet, and not to the next wallet');
  }
  if (program === ATA_PROGRAM) {
    if (accounts[2] === to) return;
    throw new Fault("it makes an account that is not the next wallet's");
  }
  if (!isTokenProgram(program)) throw new Fault(`it hands the wallet's signature to the program ${program}`);
  const kind = kindOf(data);
  if (kind === KIND.setAuthority) {
    if (newAuthority(one, m.mint, wallet) === to) return;
    throw new Fault('it hands over an authority, and not that over the tax to the next wallet');
  }
  if (kind === KIND.closeAccount) {
    if (accounts[1] === wallet) return;
    throw new Fault(`it closes the account ${accounts[0]} for another than the wallet`);
  }
  const move = readMovement(one);
  if (!move)
    throw new Fault(
      `it is of the token programs' kind ${kind >> 8}.${kind & 255}, for which nothing here has a need`,
    );
  if (burns(kind) || t.tokenOwner(move.to) !== to)
    throw new Fault(`it sends ${move.amount} of ${move.from} to ${move.to}`);
}

/** Describes the rotation that moved the proof's wallet to another one since; null for another transaction. */
export function movedOn(t: Transaction, to: string): string | null {
  const tells = t.instructions.some(
    ({ program, inner, data }) => program === MEMO_PROGRAM && !inner && textOf(data) === ROTATION_MARK + to,
  );
  return tells
    ? `${t.signature} moved the token to the wallet ${to}, by the operator's order; only the proofs after this one show what follows`
    : null;
}
