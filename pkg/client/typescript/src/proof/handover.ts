/** The hand-over of the authority over a token's withheld tax, as the chain shows it. */
import { base58 } from '@scure/base';
import { address, textOf, unbase58 } from './bytes.js';
import { type Instruction, type Teller, TOKEN_2022, type Transaction } from './chain.js';
import { addressWithSeed } from './derive.js';
import { Fault, Unreachable } from './fault.js';
import { MEMO_PROGRAM, ZERO } from './line.js';
import type { Manifest } from './manifest.js';
import { movedOn, ROTATION_MARK } from './rotation.js';
import { isSignedText } from './signed.js';
import type { Run } from './walk.js';

/** Begins the memo of the transaction that hands the authority over; see pkg/token/handover. */
const MARK = 'tokenlaunch handover';
const ORDER = /^tokenlaunch handover ([1-9]\d*) (\S+) (\d+) (\S+)$/;
/** SetAuthority of WithdrawWithheldTokens to a key. */
const HEADER = [6, 5, 1];
const PAGE = 1000;
const MAX_PAGES = 2000;

/** An order of a hand-over. */
export interface HandoverOrder {
  readonly number: bigint | number;
  readonly newAuthority: string;
  /** The earliest time of the hand-over, in whole seconds. */
  readonly effectiveAt: Date;
}

/** The text that a creator signs to order a hand-over; see Order.Text in pkg/token/handover. */
export const handoverText = (mint: string, order: HandoverOrder): string =>
  [
    'Tokenlaunch hand-over of the tax',
    `Token: ${mint}`,
    `Order: ${order.number}`,
    `New authority over withheld tax: ${order.newAuthority}`,
    `Not before: ${order.effectiveAt.toISOString().replace(/\.\d{3}Z$/, 'Z')}`,
  ].join('\n');

/** The new authority of an instruction that hands an authority over the tax over, or null. */
export function newAuthority(one: Instruction, mint: string, authority: string): string | null {
  const [account, current] = one.accounts;
  if (one.program !== TOKEN_2022 || account !== mint || current !== authority) return null;
  if (one.data.length !== HEADER.length + 32 || HEADER.some((b, i) => one.data[i] !== b)) return null;
  return base58.encode(one.data.subarray(HEADER.length));
}

/** The account that the creator's launch makes for wallet, guardian and creator. */
const accountOf = (creator: string, mint: string) => addressWithSeed(creator, mint.slice(0, 8), TOKEN_2022);

/**
 * The guardian and the creator of a token whose tax two of three withdraw, the third being the wallet;
 * null where the authority is not the account that the creator's launch makes for these members.
 */
export async function guarded(
  node: Teller,
  mint: string,
  authority: string,
  wallet: string,
): Promise<readonly [string, string] | null> {
  const found = authority === ZERO ? null : await node.multisig?.(authority);
  if (!found || found.required !== 2 || found.members.length !== 3) return null;
  const [first, guardian, creator] = found.members as [string, string, string];
  if (first !== wallet || guardian === wallet || creator === wallet || guardian === creator) return null;
  return accountOf(creator, mint) === authority ? [guardian, creator] : null;
}

/**
 * Searches for the transaction that handed the authority over, and describes it: in the history of the
 * account of wallet, guardian and creator, if the token has a guardian, and otherwise in the wallet's
 * history. Returns null without one. Throws for a hand-over that the wallet signed without the creator's
 * order.
 */
export async function handedOver(
  { anchor, manifest: m }: Run,
  node: Teller,
  rotated: (detail: string) => void = () => {},
): Promise<string | null> {
  const { wallet } = anchor;
  const account = accountOf(m.creator, m.mint);
  const members = await guarded(node, m.mint, account, wallet);
  if (members) {
    // Guardian and creator need no memo, so every transaction of the account is read.
    const told = await search(m, node, account, [''], (t, to) => {
      const until = `two of three together were who may withdraw the token's tax, until ${t.signature} handed that over to ${to}`;
      try {
        return `${until}, by ${orderedBy(m, t, to)}`;
      } catch (cause) {
        if (t.signedBy(wallet)) throw cause;
        return `${until}, signed by the guardian ${members[0]} and the creator ${members[1]}`;
      }
    });
    if (told !== null) return told;
  }
  return search(m, node, wallet, [MARK, ROTATION_MARK], (t, to) => {
    const until = `the anchor's signer was who may withdraw the token's tax, until ${t.signature}`;
    const since = isOrdered(t) ? null : movedOn(t, to);
    if (since === null) return `${until} handed that over to ${to}, by ${orderedBy(m, t, to)}`;
    rotated(since);
    return until;
  });
}

/**
 * Describes the newest transaction in an authority's history that hands the authority over; null without
 * one. Where the node reports memos, only transactions with one of the marks are read.
 */
async function search(
  m: Manifest,
  node: Teller,
  authority: string,
  marks: readonly string[],
  describe: (t: Transaction, to: string) => string,
): Promise<string | null> {
  let before = '';
  for (let n = 0; n < MAX_PAGES; n++) {
    const page = await node.page(authority, before);
    const tells = page.some((l) => l.memo);
    for (const { signature, memo } of page) {
      if (tells && !marks.some((mark) => (memo ?? '').includes(mark))) continue;
      const t = await node.landing(signature);
      if (!t || t.failed !== '') continue;
      for (const one of t.instructions) {
        const to = newAuthority(one, m.mint, authority);
        if (to !== null) return describe(t, to);
      }
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return null;
    before = last.signature;
  }
  throw new Unreachable(`the history of ${authority} is too long`);
}

/** Whether a transaction has the memo of an order of a hand-over. */
const isOrdered = (t: Transaction): boolean =>
  t.instructions.some(
    ({ program, inner, data }) => program === MEMO_PROGRAM && !inner && ORDER.test(textOf(data)),
  );

/** The order of a hand-over: the creator's, by a signature in the memo, or the operator's to the creator. */
function orderedBy(m: Manifest, t: Transaction, to: string): string {
  const fault = (why: string) =>
    new Fault(`${t.signature} handed the tax of ${m.mint} over to ${to === ZERO ? 'no one' : to}: ${why}`);
  for (const { program, inner, data } of t.instructions) {
    if (program !== MEMO_PROGRAM || inner) continue;
    const found = ORDER.exec(textOf(data));
    if (!found) continue;
    const [, number = '', named = '', at = '', by = ''] = found;
    if (named !== to) throw fault('the order names another address');
    if (by === 'operator') {
      if (to !== m.creator) throw fault('the operator ordered it, and it does not go to the creator');
      return `order ${number} of the operator`;
    }
    const effectiveAt = new Date(Number(at) * 1000);
    const signature = unbase58(by, 64);
    const order = { number: BigInt(number), newAuthority: to, effectiveAt };
    if (!signature || !isSignedText(signature, handoverText(m.mint, order), address(m.creator)))
      throw fault('the creator did not sign this hand-over');
    return `order ${number} of the creator`;
  }
  throw fault('no order is in the transaction');
}
