/**
 * The anchor of a proof: a transaction that the distribution wallet alone has signed, whose
 * memo fixes the rows and the manifest. It is read and its signature verified here, so what
 * it says takes no one's word.
 */
import { base58 } from '@scure/base';
import { amount, textOf, unhex } from './bytes.js';
import type { Instruction } from './chain.js';
import { Custody } from './effect.js';
import { Fault, within } from './fault.js';
import { cidOf, open, type Source } from './files.js';
import { MEMO_PROGRAM } from './line.js';
import { isSigned } from './order.js';

/** The longest transaction, in bytes: what fits into a packet. */
const MAX_TRANSACTION = 1232;

/** A proof is of version 1. */
export class OldProof extends Fault {}

/** What the memo of an anchor fixes. Hashes are in hex. */
export interface Memo {
  readonly runId: string;
  /** Counts the token's proofs, from 1. */
  readonly number: bigint;
  readonly root: string;
  /** Of the manifest. */
  readonly hash: string;
  /** Of the settings' text. */
  readonly order: string;
  /** Of the manifest before; zeros for a token's first. */
  readonly previous: string;
}

/** What an anchor's transaction says. */
export interface Anchor extends Memo {
  /** The transaction as it was signed. */
  readonly raw: Uint8Array;
  /** Who paid for it and signed it, alone. */
  readonly wallet: string;
  readonly signature: string;
  /** The further accounts that it names, so that it shows their balances and is in their histories. */
  readonly accounts: readonly string[];
  /** The content id of the manifest. */
  readonly manifest: string;
}

class Bytes {
  at = 0;
  constructor(readonly raw: Uint8Array) {}

  take(n: number, what: string): Uint8Array {
    if (this.raw.length - this.at < n) throw new Fault(`the transaction ends too early, in ${what}`);
    this.at += n;
    return this.raw.subarray(this.at - n, this.at);
  }

  byte(what: string): number {
    return this.take(1, what)[0] as number;
  }

  /** A short-vec length: one to three bytes, the shortest form only. */
  length(what: string): number {
    let n = 0;
    for (let shift = 0; shift <= 14; shift += 7) {
      const b = this.byte(what);
      if (b === 0 && shift > 0) throw new Fault(`a length is not in its shortest form, in ${what}`);
      n |= (b & 0x7f) << shift;
      if (b < 0x80 && n <= 0xffff) return n;
    }
    throw new Fault(`a length is over 16 bits, in ${what}`);
  }
}

interface Transaction {
  readonly signatures: readonly Uint8Array[];
  readonly accounts: readonly Uint8Array[];
  readonly message: Uint8Array;
  readonly instructions: readonly Instruction[];
}

const repeat = <T>(n: number, make: () => T): T[] => Array.from({ length: n }, make);

/** Reads a legacy transaction to its last byte, and refuses what the network would. */
function parse(raw: Uint8Array): Transaction {
  if (raw.length > MAX_TRANSACTION) throw new Fault(`a transaction of ${raw.length} bytes`);
  const r = new Bytes(raw);
  const signatures = repeat(r.length('the signatures'), () => r.take(64, 'the signatures'));
  const message = raw.subarray(r.at);
  const signers = r.byte('the header');
  if (signers & 0x80) throw new Fault('the transaction is a versioned one');
  const readonlySigners = r.byte('the header');
  const readonlyOthers = r.byte('the header');
  const accounts = repeat(r.length('the accounts'), () => r.take(32, 'the accounts'));
  r.take(32, 'the blockhash');
  const names = accounts.map((key) => base58.encode(key));
  const instructions = repeat(r.length('the instructions'), () => {
    const program = r.byte("an instruction's program");
    const used = r.take(r.length("an instruction's accounts"), "an instruction's accounts");
    const data = r.take(r.length("an instruction's data"), "an instruction's data");
    if (program === 0 || program >= names.length || used.some((i) => i >= names.length))
      throw new Fault('an instruction names an account that is not there');
    return { program: names[program] as string, accounts: [...used].map((i) => names[i] as string), data };
  }).map((one, top) => ({ ...one, top, inner: false }));
  if (r.at !== raw.length) throw new Fault(`${raw.length - r.at} bytes follow the end of the transaction`);
  if (
    signers === 0 ||
    readonlySigners >= signers ||
    signers + readonlyOthers > accounts.length ||
    new Set(names).size !== names.length ||
    signatures.length !== signers
  )
    throw new Fault("the transaction's accounts and signatures are not what its header says");
  return { signatures, accounts, message, instructions };
}

/**
 * Reads the signed transaction of an anchor, and verifies its one signature. Its first
 * instruction makes its receipt.
 */
export function readAnchor(raw: Uint8Array): Anchor {
  const t = parse(raw);
  const [payer, signed] = [t.accounts[0] as Uint8Array, t.signatures[0] as Uint8Array];
  if (t.signatures.length !== 1) throw new Fault(`the anchor has ${t.signatures.length} signers, want one`);
  const wallet = base58.encode(payer);
  if (!isSigned(signed, t.message, payer)) throw new Fault(`the signature is not ${wallet}'s`);
  const memos = t.instructions.filter((i) => i.program === MEMO_PROGRAM);
  const said = memos.map((memo) => readMemo(textOf(memo.data)));
  const memo = said[0];
  if (!memo || memos.length !== 1) throw new Fault(`the anchor has ${memos.length} memos, want one`);
  try {
    new Custody({ wallet }).effects('anchor', t.instructions);
  } catch (cause) {
    throw within('the anchor', cause);
  }
  return {
    raw,
    wallet,
    signature: base58.encode(signed),
    accounts: t.instructions[0]?.accounts.slice(2) ?? [],
    manifest: cidOf(unhex(memo.hash, 32) as Uint8Array),
    ...memo,
  };
}

const RUN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What the memo of a proof of this version begins with. */
export const MEMO_MARK = 'tld2';

/** A memo in its one spelling. */
export const memoText = (m: Memo): string =>
  [MEMO_MARK, m.runId, m.number, m.root, m.hash, m.order, m.previous].join(':');

/** Reads a memo in its one spelling; OldProof for one of version 1. */
export function readMemo(memo: string): Memo {
  const [mark, runId = '', number = '', ...hashes] = memo.split(':');
  if (mark === 'tld1')
    throw new OldProof(
      'it is a proof of version 1, which does not name all that the wallet did: it can be incomplete, and nothing here can tell',
    );
  const [root = '', hash = '', order = '', previous = ''] = hashes;
  if (mark !== MEMO_MARK || hashes.length !== 4 || !RUN.test(runId) || hashes.some((h) => !unhex(h, 32)))
    throw new Fault('the memo is not that of a proof, or not in its one spelling');
  const read = { runId, number: amount(number), root, hash, order, previous };
  if (read.number === 0n) throw new Fault("the memo's number is 0");
  return read;
}

/** Reads the anchor with this content id. */
export async function openAnchor(source: Source, cid: string): Promise<Anchor> {
  return readAnchor(await open(source, cid, '.tx'));
}
