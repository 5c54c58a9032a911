/** The lines of a proof's lists. Each has one spelling, and any other is refused. */
import { address, amount, quoted, signature, unhex } from './bytes.js';
import { Fault } from './fault.js';

/** The longest line of a list, in bytes without its end. */
export const MAX_LINE = 510;

export const ROW_HEADER =
  'asset,owner,balance,share,owed,paid,received,charged,carried,reserved,total,reason,hold,signature';
export const LEFT_OUT_HEADER = 'owner,balance,why';
/** The same where what owners held in the snapshot before counts, too. */
export const HELD_ROW_HEADER =
  'asset,owner,balance,before,share,owed,paid,received,charged,carried,reserved,total,reason,hold,signature';
export const HELD_LEFT_OUT_HEADER = 'owner,balance,before,why';
export const TRANSACTION_HEADER = 'purpose,signature,slot';

/** The native asset. */
export const SOL = 'SOL';
export const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
/** The address of 32 zeros: of the System program, and where there is none. */
export const ZERO = '1'.repeat(32);
/** The SPL Memo program, version 2. */
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';

/** Reads an asset: SOL, or the address of a mint. Other names of SOL become SOL. */
export function parseAsset(text: string): string {
  if (text === SOL) return SOL;
  address(text);
  return text === WRAPPED_SOL || text === ZERO ? SOL : text;
}

/** Whether the text has the form of a reason. */
export const isReason = (text: string): boolean => /^[a-z_]{1,32}$/.test(text);

/** What a leg came to for one owner. */
export interface Row {
  readonly asset: string;
  readonly owner: string;
  /** The owner's bytes, by which rows are ordered. */
  readonly key: Uint8Array;
  readonly balance: bigint;
  /** In the snapshot before, where that counts, too; otherwise zero. */
  readonly before: bigint;
  readonly share: bigint;
  readonly owed: bigint;
  readonly paid: bigint;
  readonly received: bigint;
  readonly charged: bigint;
  readonly carried: bigint;
  readonly reserved: bigint;
  /** What has arrived in all, with this run and with those before, without a gap. */
  readonly total: bigint;
  readonly reason: string;
  readonly hold: string;
  readonly signature: string;
}

const LIMIT = 2n ** 64n;

/** Says in what a row contradicts itself. */
function checkRow(r: Row): void {
  const have = r.owed + r.share;
  const after = r.paid + r.charged + r.carried;
  if (have >= LIMIT || after >= LIMIT) throw new Fault('the sum exceeds 64 bits');
  if (have !== after)
    throw new Fault(
      `owed ${r.owed} and share ${r.share} are not paid ${r.paid}, charged ${r.charged} and carried ${r.carried}`,
    );
  if (r.received > r.total) throw new Fault(`${r.received} arrived, and ${r.total} in all`);
  if (r.received > r.paid) throw new Fault(`${r.received} arrived of ${r.paid} that were sent`);
  if (r.reserved > r.carried) throw new Fault(`${r.reserved} are reserved of ${r.carried} that are carried`);
  if (r.balance === 0n && r.share > 0n) throw new Fault('there is a share without a balance');
  if (r.before > 0n && r.balance === 0n)
    throw new Fault(`${r.before} were held before, and what is held now does not count`);
  if (r.balance === 0n && r.owed === 0n && r.total === 0n)
    throw new Fault('there is neither a balance nor anything owed or received');
  if (r.owner === ZERO) throw new Fault('there is no owner');
  if (r.carried > 0n ? !isReason(r.reason) : r.reason !== '')
    throw new Fault(`${r.carried} are carried because of ${quoted(r.reason)}`);
  if (r.carried === 0n && r.hold !== '') throw new Fault('nothing is carried, and an account is held');
  if (r.paid > 0n !== (r.signature !== ''))
    throw new Fault('a payment needs its signature, and a signature its payment');
  if (r.charged > 0n && r.paid === 0n) throw new Fault('something is charged without a payment');
}

function split(line: string, count: number): string[] {
  if (line.length > MAX_LINE) throw new Fault(`the line has ${line.length} bytes, at most ${MAX_LINE}`);
  const fields = line.split(',');
  if (fields.length !== count) throw new Fault(`the line has ${fields.length} fields, want ${count}`);
  return fields;
}

/**
 * Reads a row that does not contradict itself; `known` are signatures that need no second look, and
 * `held` rows have what the owner held before.
 */
export function parseRow(line: string, known?: ReadonlyMap<string, unknown>, held = false): Row {
  const f = split(line, held ? 15 : 14);
  const [before = '0'] = held ? f.splice(3, 1) : [];
  const at = (i: number) => f[i] as string;
  if (parseAsset(at(0)) !== at(0)) throw new Fault(`${quoted(at(0))} is another name of SOL`);
  if (at(12) !== '' && (!unhex(at(12), 8) || /^0*$/.test(at(12))))
    throw new Fault(`${quoted(at(12))} is not a fingerprint`);
  const row: Row = {
    asset: at(0),
    owner: at(1),
    key: address(at(1)),
    balance: amount(at(2)),
    before: amount(before),
    share: amount(at(3)),
    owed: amount(at(4)),
    paid: amount(at(5)),
    received: amount(at(6)),
    charged: amount(at(7)),
    carried: amount(at(8)),
    reserved: amount(at(9)),
    total: amount(at(10)),
    reason: at(11),
    hold: at(12),
    signature: known?.has(at(13)) ? at(13) : signature(at(13)),
  };
  checkRow(row);
  return row;
}

/** An owner who has no share, and why. */
export interface LeftOut {
  readonly owner: string;
  readonly key: Uint8Array;
  readonly balance: bigint;
  /** As in a row. */
  readonly before: bigint;
  readonly why: string;
}

/** Why those are left out who hold less than the settings' minimum. */
export const BELOW_MINIMUM = 'below_minimum';
/** Of owners whose address is no point of ed25519, so that no key signs for them. */
export const OFF_CURVE = 'off_curve';

/** Of owners who would share if what they had in the snapshot before were not less. */
export const NOT_HELD = 'not_held';

/** Reads an owner who is left out; with `held`, the line has what they held before. */
export function parseLeftOut(line: string, held = false): LeftOut {
  const f = split(line, held ? 4 : 3);
  const [before = '0'] = held ? f.splice(2, 1) : [];
  const [owner, balance, why] = f as [string, string, string];
  const left = { owner, key: address(owner), balance: amount(balance), before: amount(before), why };
  if (!isReason(why) || left.balance === 0n)
    throw new Fault('there is no balance, or no reason why it does not count');
  return left;
}

const PURPOSES = [
  'setup',
  'collect',
  'burn',
  'exchange',
  'fuel',
  'creator',
  'pay',
  // Of the run before: a proof cannot name its own.
  'anchor',
  // Sets the authority over withheld tax to another address.
  'handover',
  // Makes the receipt of a payment that is not to land any more, and nothing else.
  'void',
  // Empties receipts into the wallet, and does nothing else.
  'return',
] as const;
/** What a transaction was for. */
export type Purpose = (typeof PURPOSES)[number];

/** Whether transactions of this purpose begin with a receipt. */
export const hasReceipt = (p: Purpose): boolean => p !== 'setup' && p !== 'collect' && p !== 'return';

/** Whether transactions of this purpose only make or empty receipts. */
export const onlyReceipts = (p: Purpose): boolean => p === 'void' || p === 'return';

/** A transaction that a run landed. */
export interface Transaction {
  readonly purpose: Purpose;
  readonly signature: string;
  readonly slot: bigint;
}

/** Reads a transaction. */
export function parseTransaction(line: string): Transaction {
  const [word, named, slot] = split(line, 3) as [string, string, string];
  const purpose = PURPOSES.find((p) => p === word);
  const t = { purpose, signature: signature(named), slot: amount(slot) };
  if (!purpose || t.signature === '' || t.slot === 0n)
    throw new Fault('a transaction has a purpose, a signature and a slot');
  return { ...t, purpose };
}
