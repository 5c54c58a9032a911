/** The manifest of a proof: the inputs, what came of them, and which lists there are. */

import { hex, quoted } from './bytes.js';
import {
  int64,
  key,
  list,
  moment,
  object,
  type Read,
  readFile,
  signed,
  some,
  someInt64,
  someList,
  someText,
  someUint64,
  text,
  uint8,
  uint16From1,
  uint64,
  units,
} from './canonical.js';
import { Fault, within } from './fault.js';
import { hashOf, open, type Source } from './files.js';
import { SOL } from './line.js';

/** The first field of a manifest: what it is, and how it is to be read. */
export const FORMAT = 'token distribution proof 2';

const part = object({ cid: text, leg: int64, first: someText, lines: uint64, root: text });
/** One file of a list, or one page; leg and first say where it begins. */
export type Part = Read<typeof part>;

const page = object({ files: list(part) });

const table = object({ lines: uint64, root: text, pages: list(part) });
/** A list of lines in files: pages list the files, and the files have the lines. */
export type Table = Read<typeof table>;

const creatorSplit = object({ wallet: key, partBps: int64 });
/** What one of the creator's wallets gets of the creator's share, in basis points. */
export type CreatorSplit = Read<typeof creatorSplit>;

const settings = object({
  version: int64,
  interval: text,
  rewardToken: text,
  minimumHolding: units,
  sellBps: int64,
  burnBps: int64,
  developerFeeBps: int64,
  developerWallet: key,
  /** The wallets that share what the creator gets; none: developerWallet gets all of it. */
  creatorSplits: someList(creatorSplit),
  /** "held" where the lesser of two snapshots' balances counts; else empty. */
  rewardBasis: someText,
  /** The share that holders get at least; 0 for none. */
  minimumHoldersBps: someInt64,
  /** The time from order to effect of a change that lowers what holders get; empty for none. */
  changeDelay: someText,
  order: signed,
});
/** Those that divided the tax; `order` is the creator's signature over them, if there is one. */
export type Settings = Read<typeof settings>;

/**
 * The settings that held at the run's slot, where they lower what holders get and the tax withheld
 * before is divided by earlier ones.
 */
const next = object({
  settings,
  /** The slot of the first distribution by the earlier settings, in seconds since 1970; 0 before it. */
  since: someUint64,
});

const tally = object({ owners: uint64, balance: units });

const snapshotBefore = object({ runId: text, number: uint64, manifest: text, chainSlot: uint64 });

const held = object({
  /** The proof that has the snapshot before; null in a token's first. */
  before: some(snapshotBefore),
  /** The sum of the lesser balances of those who share. */
  weight: units,
});

const snapshot = object({
  chainSlot: uint64,
  supply: units,
  withheldInAccounts: units,
  withheldOnMint: units,
  eligible: tally,
  leftOut: tally,
  /** Null where the balance in this snapshot alone counts. */
  held: some(held),
});

const split = object({
  spendable: units,
  unsold: units,
  slice: units,
  burn: units,
  sell: units,
  burned: units,
  unsoldAfter: units,
});

const exchange = object({ sold: units, proceeds: units, fuelSold: units, fuel: units });

const receipts = object({ lent: units, returned: units });

const creator = object({
  wallet: key,
  partBps: int64,
  share: units,
  owed: units,
  paid: units,
  received: units,
  carried: units,
  reserved: units,
  reason: text,
  signature: signed,
});
/** The line of one of the creator's wallets in a leg. */
export type CreatorShare = Read<typeof creator>;

const sums = object({
  balance: units,
  share: units,
  owed: units,
  paid: units,
  received: units,
  charged: units,
  carried: units,
  reserved: units,
  total: units,
  paidTo: uint64,
  carriedTo: uint64,
});
/** What the rows of a leg add up to, column by column. */
export type Sums = Read<typeof sums>;

const leg = object({
  asset: text,
  program: text,
  decimals: uint8,
  remainderIn: units,
  total: units,
  remainderOut: units,
  worthPaying: units,
  creators: list(creator),
  rows: uint64,
  sums,
});
/** One asset that is paid: the first is the reward of the run, others are arrears. */
export type Leg = Read<typeof leg>;

const entry = object({ name: text, amount: units, reason: someText });
/** An amount with its name; an adjustment with its reason. */
export type Entry = Read<typeof entry>;

const statement = object({
  asset: text,
  opening: units,
  in: list(entry),
  out: list(entry),
  closing: units,
  heldFor: list(entry),
});
/** Shows that nothing of an asset is lost. */
export type Statement = Read<typeof statement>;

const manifest = object({
  format: text,
  kind: text,
  number: uint64,
  runId: text,
  slot: moment,
  mint: key,
  program: key,
  decimals: uint8,
  creator: key,
  wallet: key,
  tokenAccount: key,
  settings,
  /** Null where the settings held at the run's slot. */
  next: some(next),
  snapshot,
  split,
  exchange,
  receipts,
  legs: list(leg),
  statements: list(statement),
  rows: table,
  leftOut: table,
  transactions: table,
  /** The last slot whose transactions the statements have. */
  cut: uint64,
  /** The content id of the manifest before; empty for a token's first. */
  previous: text,
  /** The distribution wallets since the proof before, the oldest first, each emptied into the next. */
  walletsBefore: someList(object({ wallet: key, last: signed, slot: uint64 })),
  /** The number of the list of trusted programs that the proof was written by. */
  trustList: uint16From1,
});
/** Everything about a run. Amounts of the token and of SOL are in base units. */
export type Manifest = Read<typeof manifest>;

/** Reads a manifest's file. */
export function decodeManifest(content: Uint8Array): Manifest {
  let m: Manifest;
  try {
    m = readFile(content, manifest);
  } catch (cause) {
    throw within('the manifest', cause);
  }
  if (m.format !== FORMAT)
    throw new Fault(`the manifest is of the format ${quoted(m.format)}, not ${quoted(FORMAT)}`);
  if (m.rows.root === '' || m.leftOut.root === '' || m.transactions.root === '')
    throw new Fault('the manifest is not in its one spelling: a list has no root');
  return m;
}

/** Reads the manifest with this content id. */
export async function readManifest(source: Source, cid: string): Promise<Manifest> {
  return decodeManifest(await open(source, cid, '.json'));
}

/** Reads the file of a page: the files that it lists. */
export const decodePage = (content: Uint8Array): readonly Part[] => readFile(content, page).files;

/** The hash of the manifest before, in hex; of zeros for a token's first. */
export const previousHash = (m: Manifest): string =>
  m.previous === '' ? '0'.repeat(64) : hex(hashOf(m.previous));

/** Whether the run shares out what the tax has brought, or pays holders who asked for theirs. */
export const isDistribution = (m: Manifest): boolean => m.kind === 'distribution';

/** The wallets that share what the creator gets, in their order. */
export const creatorsOf = (m: Manifest): readonly CreatorSplit[] =>
  m.settings.creatorSplits.length > 0
    ? m.settings.creatorSplits
    : [{ wallet: m.settings.developerWallet, partBps: 10_000n }];

/** What the run pays in: SOL where the reward of earlier settings cannot be paid any more. */
export const rewardOf = (m: Manifest): string =>
  m.next && m.legs[0]?.asset === SOL ? SOL : m.settings.rewardToken;

/** What part of the collected tax the run takes up: all of it by earlier settings. */
export const sellBpsOf = (m: Manifest): bigint => (m.next ? 10_000n : m.settings.sellBps);

/** Whether the reward is the token itself. */
export const ownReward = (m: Manifest): boolean => rewardOf(m) === m.mint;

/** Whether the lesser of two balances counts. */
export const isHeld = (m: Manifest): boolean => m.snapshot.held !== null;

/** What the balances of those who share count for together. */
export const weightOf = (m: Manifest): bigint => m.snapshot.held?.weight ?? m.snapshot.eligible.balance;

/** What counts of an owner's balances. */
export const weigh = (m: Manifest, of: { readonly balance: bigint; readonly before: bigint }): bigint =>
  isHeld(m) && of.before < of.balance ? of.before : of.balance;

/** The least that counts. */
export const minimumOf = (m: Manifest): bigint => {
  const { minimumHolding } = m.settings;
  return minimumHolding > 1n ? minimumHolding : 1n;
};
