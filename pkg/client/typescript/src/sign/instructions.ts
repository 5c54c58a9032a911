/** The instructions of the programs that everything rests on, as they are compared. */
import { address, bytesOf, join } from '../proof/bytes.js';
import { ATA_PROGRAM, addressWithSeed, associated } from '../proof/derive.js';

/** An instruction that belongs into a transaction. */
export interface Step {
  /** What it does, for an error. */
  readonly does: string;
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
  /** Which of the accounts sign. */
  readonly signers: readonly string[];
}

export const SYSTEM = '11111111111111111111111111111111';
export const BUDGET = 'ComputeBudget111111111111111111111111111111';
export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
export const WRAPPED = 'So11111111111111111111111111111111111111112';
export const RENT = 'SysvarRent111111111111111111111111111111111';
const BLOCKHASHES = 'SysvarRecentB1ockHashes11111111111111111111';

export const MAX_U64 = 2n ** 64n - 1n;

/** Writes a number of the given number of bytes, the low ones first. Throws when it does not fit. */
export function little(value: bigint | number, size: number): Uint8Array {
  let rest = BigInt(value);
  const bytes = new Uint8Array(size);
  for (let i = 0; i < size; i++, rest >>= 8n) bytes[i] = Number(rest & 0xffn);
  if (rest !== 0n) throw new Error(`${value} does not fit into ${size} bytes`);
  return bytes;
}

/** Reads such a number. */
export const number = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);

export const u64 = (value: bigint): Uint8Array => little(value, 8);

/** An address, or nothing: 32 zeros where there is none. */
const keyOr = (key: string | null): Uint8Array => (key === null ? new Uint8Array(32) : address(key));
const option = (key: string | null): Uint8Array =>
  key === null ? Uint8Array.of(0) : join(Uint8Array.of(1), address(key));
const text = (value: string): Uint8Array => {
  const bytes = bytesOf(value);
  return join(little(bytes.length, 4), bytes);
};

const step = (
  does: string,
  program: string,
  data: Uint8Array,
  accounts: readonly string[],
  signers: readonly string[] = [],
): Step => ({ does, program, accounts, data, signers });

export const unitLimit = (units: bigint): Step =>
  step('limits the computing', BUDGET, join(Uint8Array.of(2), little(units, 4)), []);

export const unitPrice = (each: bigint): Step =>
  step('offers a priority fee', BUDGET, join(Uint8Array.of(3), u64(each)), []);

export const advanceNonce = (nonce: string, authority: string): Step =>
  step('uses up a one-time number', SYSTEM, little(4, 4), [nonce, BLOCKHASHES, authority], [authority]);

export const signedBy = (key: string): Step =>
  step('asks for the signature of the service', MEMO, new Uint8Array(), [key], [key]);

export const transfer = (
  does: string,
  from: string,
  to: string,
  lamports: bigint,
  ...references: string[]
): Step => step(does, SYSTEM, join(little(2, 4), u64(lamports)), [from, to, ...references], [from]);

/** Opens the associated account of a wallet, or of another `owner` at its cost. */
export const openAccount = (
  does: string,
  wallet: string,
  mint: string,
  program: string,
  owner = wallet,
): Step =>
  step(
    does,
    ATA_PROGRAM,
    Uint8Array.of(1),
    [wallet, associated(owner, mint, program), owner, mint, SYSTEM, program],
    [wallet],
  );

export const syncNative = (account: string): Step =>
  step('counts it as wrapped SOL', TOKEN, Uint8Array.of(17), [account]);

export const closeWrapped = (account: string, wallet: string): Step =>
  step('closes your account of wrapped SOL', TOKEN, Uint8Array.of(9), [account, wallet, wallet], [wallet]);

export const setTransferFee = (mint: string, authority: string, points: bigint): Step =>
  step(
    'changes the tax',
    TOKEN_2022,
    join(Uint8Array.of(26, 5), little(points, 2), u64(MAX_U64)),
    [mint, authority],
    [authority],
  );

/** Bytes of a mint's account before its metadata. */
const MINT_SPACE = 346n;
const INITIALIZE_METADATA = Uint8Array.of(0xd2, 0xe1, 0x1e, 0xa2, 0x58, 0xb8, 0x4d, 0x8d);
const UPDATE_AUTHORITY = Uint8Array.of(0xd7, 0xe4, 0xa6, 0xe4, 0x54, 0x64, 0x56, 0x7b);

/** Bytes of a multisig account, of the seed of its address, and its rule: two sign. */
const MULTISIG_SPACE = 355n;
export const MULTISIG_SEED = 8;
const MULTISIG_REQUIRED = 2;

/** A token that is to be. */
export interface NewToken {
  readonly payer: string;
  readonly mint: string;
  readonly distributionWallet: string;
  /** With a guardian, two of wallet, guardian and payer together collect the tax. */
  readonly guardian: string | null;
  readonly multisigRent: bigint;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  readonly decimals: number;
  readonly supply: bigint;
  readonly taxPoints: bigint;
  readonly adjustable: boolean;
  readonly immutable: boolean;
  readonly rent: bigint;
  readonly funding: bigint;
}

/** The instructions that make a token. */
export function newToken(t: NewToken): Step[] {
  const { payer, mint } = t;
  const account = associated(payer, mint, TOKEN_2022);
  const about = (does: string, data: Uint8Array, accounts: string[], signers: string[] = []) =>
    step(does, TOKEN_2022, data, accounts, signers);
  const seed = mint.slice(0, MULTISIG_SEED);
  const collector = t.guardian ? addressWithSeed(payer, seed, TOKEN_2022) : t.distributionWallet;
  const members = t.guardian
    ? [
        step(
          'creates the account that collects the tax',
          SYSTEM,
          join(
            little(3, 4),
            address(payer),
            u64(BigInt(MULTISIG_SEED)),
            bytesOf(seed),
            u64(t.multisigRent),
            u64(MULTISIG_SPACE),
            address(TOKEN_2022),
          ),
          [payer, collector],
          [payer],
        ),
        about('makes two of three necessary to collect the tax', Uint8Array.of(19, MULTISIG_REQUIRED), [
          collector,
          t.distributionWallet,
          t.guardian,
          payer,
        ]),
      ]
    : [];
  const steps = [
    step(
      'creates the mint',
      SYSTEM,
      join(little(0, 4), u64(t.rent), u64(MINT_SPACE), address(TOKEN_2022)),
      [payer, mint],
      [payer, mint],
    ),
    about(
      'sets the tax',
      join(
        Uint8Array.of(26, 0),
        option(t.adjustable ? payer : null),
        option(collector),
        little(t.taxPoints, 2),
        u64(MAX_U64),
      ),
      [mint],
    ),
    about('says where the metadata is', join(Uint8Array.of(39, 0), keyOr(null), address(mint)), [mint]),
    about('makes it a token', join(Uint8Array.of(20, t.decimals), address(payer), option(null)), [mint]),
    about(
      'names it',
      join(INITIALIZE_METADATA, text(t.name), text(t.symbol), text(t.uri)),
      [mint, payer, mint, payer],
      [payer],
    ),
    ...members,
    openAccount('opens your account for it', payer, mint, TOKEN_2022),
    about('mints the supply to you', join(Uint8Array.of(7), u64(t.supply)), [mint, account, payer], [payer]),
    about('gives up the right to mint', Uint8Array.of(6, 0, 0), [mint, payer], [payer]),
  ];
  if (t.immutable)
    steps.push(about('locks the metadata', join(UPDATE_AUTHORITY, keyOr(null)), [mint, payer], [payer]));
  if (t.funding > 0n)
    steps.push(transfer('funds the distribution wallet', payer, t.distributionWallet, t.funding));
  return steps;
}
