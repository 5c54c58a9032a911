/** What a wallet may change in a transaction, and what it did. The service has the same rules. */
import { same } from '../proof/bytes.js';
import { BUDGET, number } from './instructions.js';
import type { Instruction, Transaction } from './message.js';

/** A wallet changed a transaction that can be used only as it was made, or in which something else may change. It was not sent. */
export class WalletChanged extends Error {
  constructor(readonly why: string) {
    super(`the wallet changed the transaction: ${why}`);
    this.name = 'WalletChanged';
  }
}

/** The program whose assertions wallets append to what they sign. */
export const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95';
/** Its instructions that only read accounts. */
const [FIRST_ASSERTION, LAST_ASSERTION] = [2, 15];

/** The most that a transaction may offer the network above its base fee, in lamports: 0.01 SOL. */
export const MAX_PRIORITY_FEE = 10_000_000n;
const MAX_UNITS = 1_400_000n;

/**
 * Describes what a wallet changed: another compute unit limit or price, at the place of the issued one,
 * and Lighthouse assertions behind the issued instructions, which name no signer but the fee payer.
 * Throws `WalletChanged`, with the instruction and field, when it changed anything else.
 */
export function changes(issued: Transaction, returned: Transaction): string[] {
  if (same(issued.message, returned.message)) return [];
  const payer = issued.signers[0];
  if (returned.signers[0] !== payer)
    throw new WalletChanged(`the fee payer is ${returned.signers[0]}, and ${payer} was issued`);
  if (returned.blockhash !== issued.blockhash)
    throw new WalletChanged(`the blockhash is ${returned.blockhash}, and ${issued.blockhash} was issued`);
  const [have, want] = [returned.instructions, issued.instructions];
  if (have.length < want.length)
    throw new WalletChanged(`it has ${have.length} instructions, and ${want.length} were issued`);
  want.forEach((step, i) => {
    const why = differs(have[i] as Instruction, step);
    if (why) throw new WalletChanged(`instruction ${i + 1}: ${why}`);
  });
  const told = changedBudget(have, want);
  const guards = have.slice(want.length);
  guards.forEach((guard, i) => {
    const why = wrongGuard(guard, returned);
    if (why) throw new WalletChanged(`instruction ${want.length + i + 1} was added: ${why}`);
  });
  sameRights(issued, returned, guards);
  if (guards.length > 0) told.push(`${guards.length} Lighthouse assertion(s) added`);
  return told.length > 0 ? told : ['the accounts in another order'];
}

function differs(have: Instruction, want: Instruction): string {
  if (have.program !== want.program) return `its program is ${have.program}, and ${want.program} was issued`;
  if (have.accounts.length !== want.accounts.length)
    return `it has ${have.accounts.length} accounts, and ${want.accounts.length} were issued`;
  if (have.data.length !== want.data.length)
    return `it has ${have.data.length} bytes of data, and ${want.data.length} were issued`;
  const other = want.accounts.findIndex((key, i) => key !== have.accounts[i]);
  if (other >= 0)
    return `account ${other + 1} is ${have.accounts[other]}, and ${want.accounts[other]} was issued`;
  const data = isBudget(want) ? want.data.subarray(0, 1) : want.data;
  const at = data.findIndex((byte, i) => byte !== have.data[i]);
  return at < 0 ? '' : `its data differ from byte ${at + 1} on`;
}

const [LIMIT, LIMIT_BYTES, PRICE, PRICE_BYTES] = [2, 5, 3, 9];

const sets = (i: Instruction, tag: number, bytes: number): boolean =>
  i.program === BUDGET && i.data.length === bytes && i.data[0] === tag;

/** Whether an instruction sets the compute unit limit or price. */
const isBudget = (i: Instruction): boolean => sets(i, LIMIT, LIMIT_BYTES) || sets(i, PRICE, PRICE_BYTES);

function budget(list: readonly Instruction[]): { units: bigint; price: bigint; fee: bigint } {
  const last = (tag: number, bytes: number) => list.findLast((i) => sets(i, tag, bytes))?.data.subarray(1);
  const [limit, each] = [last(LIMIT, LIMIT_BYTES), last(PRICE, PRICE_BYTES)];
  const [units, price] = [limit ? number(limit) : MAX_UNITS, each ? number(each) : 0n];
  return { units, price, fee: (units * price + 999_999n) / 1_000_000n };
}

/** The priority fee of a transaction, in lamports. */
export const priorityFee = (transaction: Transaction): bigint => budget(transaction.instructions).fee;

function changedBudget(have: readonly Instruction[], want: readonly Instruction[]): string[] {
  const [is, was] = [budget(have), budget(want)];
  const told: string[] = [];
  if (is.units !== was.units) {
    if (is.units > MAX_UNITS)
      throw new WalletChanged(`the compute unit limit is ${is.units}, and the network allows ${MAX_UNITS}`);
    told.push(`compute unit limit ${is.units} in place of ${was.units}`);
  }
  const most = was.fee > MAX_PRIORITY_FEE ? was.fee : MAX_PRIORITY_FEE;
  if (is.fee > most)
    throw new WalletChanged(
      `the priority fee is ${sol(is.fee)} SOL (${is.units} compute units at ${is.price} micro-lamports), and at most ${sol(most)} SOL are accepted`,
    );
  if (is.price !== was.price || is.fee !== was.fee)
    told.push(`priority fee of ${sol(is.fee)} SOL in place of ${sol(was.fee)} SOL`);
  return told;
}

function wrongGuard(guard: Instruction, { signers }: Transaction): string {
  if (guard.program !== LIGHTHOUSE)
    return `its program is ${guard.program}, and only assertions of Lighthouse (${LIGHTHOUSE}) may be added`;
  const kind = guard.data[0];
  if (kind === undefined || kind < FIRST_ASSERTION || kind > LAST_ASSERTION)
    return `it is not an assertion of Lighthouse that only reads accounts (first byte ${kind?.toString(16).padStart(2, '0') ?? ''})`;
  const at = guard.accounts.findIndex((key) => signers.indexOf(key) > 0);
  return at < 0
    ? ''
    : `its account ${at + 1} is ${guard.accounts[at]}, which signs for the issued instructions only`;
}

/** Each account may do what it was issued for, and those that guards add are read only. */
function sameRights(issued: Transaction, returned: Transaction, guards: readonly Instruction[]): void {
  const known = new Set([...issued.keys, ...guards.flatMap((g) => [g.program, ...g.accounts])]);
  for (const key of returned.keys) {
    if (!known.has(key)) throw new WalletChanged(`the account ${key} was added, and no instruction uses it`);
    const signs = returned.signers.includes(key);
    if (signs !== issued.signers.includes(key))
      throw new WalletChanged(`the account ${key} signs: ${signs}, and ${!signs} was issued`);
    const written = returned.writable.has(key);
    if (written !== issued.writable.has(key))
      throw new WalletChanged(`the account ${key} is writable: ${written}, and ${!written} was issued`);
  }
}

/** Lamports as SOL. */
function sol(lamports: bigint): string {
  const digits = String(lamports).padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '');
}
