/** Meteora's DAMM v2 and the curve that a pool of it is, as far as wallets sign it. */
import { address, bytesOf, compare, join } from '../proof/bytes.js';
import { derived } from '../proof/derive.js';
import { little, type Step, SYSTEM, TOKEN, TOKEN_2022, u64, WRAPPED } from './instructions.js';

export const METEORA = 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG';
const POOL_AUTHORITY = 'HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC';
const EVENT_AUTHORITY = '3rmHSu74h1ZcmAisVcWerTCiRDQbUrBKmcwptYGjHfet';

const MAX_SQRT_PRICE = 79226673521066979257578248091n;
const MIN_SQRT_PRICE = 4295048016n;

/** The first bytes of instructions. */
const tags = {
  initialize: [20, 161, 241, 24, 189, 221, 180, 2],
  lock: [165, 176, 125, 6, 231, 171, 186, 213],
  swap: [65, 75, 63, 76, 235, 91, 91, 136],
  remove: [10, 51, 61, 35, 112, 105, 24, 85],
  claim: [180, 38, 154, 17, 133, 33, 162, 211],
  close: [123, 134, 81, 0, 49, 68, 98, 98],
} as const;

/** The accounts of a token's pool, and of a position of which the mint of its token is known. */
export interface Accounts {
  readonly pool: string;
  readonly tokenVault: string;
  readonly solVault: string;
  readonly nftMint: string;
  readonly position: string;
  readonly nftAccount: string;
}

export function accounts(mint: string, nftMint: string): Accounts {
  const [a, b, nft] = [address(mint), address(WRAPPED), address(nftMint)];
  const at = (seed: string, ...keys: Uint8Array[]) => derived(METEORA, bytesOf(seed), ...keys);
  const pool = compare(a, b) < 0 ? at('cpool', b, a) : at('cpool', a, b);
  return {
    pool,
    tokenVault: at('token_vault', a, address(pool)),
    solVault: at('token_vault', b, address(pool)),
    nftMint,
    position: at('position', nft),
    nftAccount: at('position_nft_account', nft),
  };
}

/** Who trades, and with which accounts. */
export interface Trader {
  readonly wallet: string;
  readonly mint: string;
  readonly tokenProgram: string;
  readonly token: string;
  readonly wrapped: string;
}

const step = (
  does: string,
  tag: readonly number[],
  data: readonly Uint8Array[],
  list: readonly string[],
  signers: readonly string[],
): Step => ({
  does,
  program: METEORA,
  accounts: [...list, EVENT_AUTHORITY, METEORA],
  data: join(Uint8Array.from(tag), ...data),
  signers,
});

/** The numbers of a curve. */
export interface Curve {
  readonly start: bigint;
  readonly liquidity: bigint;
  readonly fee: Fee;
  /** When it opens, in seconds since 1970; null at once. */
  readonly opens: bigint | null;
}

/** The fee on trades: `cliff` at first, and less by `reduction` each period. Of 10^9. */
export interface Fee {
  readonly cliff: bigint;
  readonly periods: bigint;
  readonly seconds: bigint;
  readonly reduction: bigint;
}

const PER_POINT = 100_000n;
/** A fee of everything. */
const FEE_UNIT = 1_000_000_000n;
/** Seconds after which a falling fee takes its next step. */
const SNIPER_STEP = 10n;

/** A fee in basis points, to which a higher one falls in a number of minutes. */
export function fee(end: bigint, start: bigint, minutes: bigint): Fee {
  if (end < 1n || end > 9_900n || start > 9_900n || minutes < 0n || minutes > 60n)
    throw new Error('There is no such fee.');
  if (start === 0n) return { cliff: end * PER_POINT, periods: 0n, seconds: 0n, reduction: 0n };
  const periods = (minutes * 60n) / SNIPER_STEP;
  if (periods === 0n || start <= end) throw new Error('There is no such fee.');
  const reduction = ((start - end) * PER_POINT) / periods;
  return { cliff: end * PER_POINT + reduction * periods, periods, seconds: SNIPER_STEP, reduction };
}

function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let x = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (x + value / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}

/** The first square-root price and the liquidity of a curve, as the service computes them. The multiplier is in hundredths. */
export function plan(tokens: bigint, target: bigint, multiplier: bigint): Pick<Curve, 'start' | 'liquidity'> {
  if (tokens <= 0n || target <= 0n || multiplier < 150n || multiplier > 10_000n)
    throw new Error('There is no such curve.');
  const grow = squareRoot((multiplier << 256n) / 100n) - (1n << 128n);
  const start = squareRoot((target << 256n) / (grow * tokens));
  if (start < MIN_SQRT_PRICE || start >= MAX_SQRT_PRICE) throw new Error('There is no such curve.');
  return { start, liquidity: (start * MAX_SQRT_PRICE * tokens) / (MAX_SQRT_PRICE - start) };
}

/** What the first purchase of a curve brings for the given lamports, after a tax in basis points. */
export function first(c: Curve, lamports: bigint, tax: bigint): bigint {
  // The fee has not fallen yet, and rounds up.
  const charged = (lamports * c.fee.cliff + FEE_UNIT - 1n) / FEE_UNIT;
  const next = c.start + ((lamports - charged) << 128n) / c.liquidity;
  if (next > MAX_SQRT_PRICE) throw new Error('The curve has less than that buys.');
  const gross = (c.liquidity * (next - c.start)) / (c.start * next);
  const tokens = gross - (gross * tax + 9_999n) / 10_000n;
  if (tokens <= 0n) throw new Error('Nothing would arrive for that.');
  return tokens;
}

export const initialize = (t: Trader, at: Accounts, c: Curve): Step =>
  step(
    'makes the curve',
    tags.initialize,
    [
      u64(c.fee.cliff),
      little(c.fee.periods, 2),
      u64(c.fee.seconds),
      u64(c.fee.reduction),
      new Uint8Array(5), // a linear fee, none of liquidity that compounds, none that follows volatility
      little(c.start, 16),
      little(MAX_SQRT_PRICE, 16),
      new Uint8Array(1), // no further vault
      little(c.liquidity, 16),
      little(c.start, 16),
      Uint8Array.of(1, 1), // counted in time, fees in SOL
      c.opens === null ? new Uint8Array(1) : join(Uint8Array.of(1), u64(c.opens)),
    ],
    [
      t.wallet,
      at.nftMint,
      at.nftAccount,
      t.wallet,
      POOL_AUTHORITY,
      at.pool,
      at.position,
      t.mint,
      WRAPPED,
      at.tokenVault,
      at.solVault,
      t.token,
      t.wrapped,
      t.tokenProgram,
      TOKEN,
      TOKEN_2022,
      SYSTEM,
    ],
    [t.wallet, at.nftMint],
  );

export const lock = (t: Trader, at: Accounts, liquidity: bigint): Step =>
  step(
    'locks the liquidity',
    tags.lock,
    [little(liquidity, 16)],
    [at.pool, at.position, at.nftAccount, t.wallet],
    [t.wallet],
  );

/**
 * A trade: a purchase of exactly `amount` for `limit` at most, or a sale of it for `limit` at least.
 * One that spends pays exactly `amount`, of which at least `limit` arrives.
 */
export const swap = (
  t: Trader,
  at: Accounts,
  does: 'buys' | 'spends' | 'sells',
  amount: bigint,
  limit: bigint,
): Step =>
  step(
    'trades with the curve',
    tags.swap,
    [u64(amount), u64(limit), Uint8Array.of(does === 'buys' ? 2 : 0)],
    [
      POOL_AUTHORITY,
      at.pool,
      ...(does === 'sells' ? [t.token, t.wrapped] : [t.wrapped, t.token]),
      at.tokenVault,
      at.solVault,
      t.mint,
      WRAPPED,
      t.wallet,
      t.tokenProgram,
      TOKEN,
      METEORA,
    ],
    [t.wallet],
  );

/** The accounts with which a wallet takes something out of a position, whose token is in one of two accounts. */
const positionSide = (t: Trader, at: Accounts, nftAccount: string): string[] => [
  POOL_AUTHORITY,
  at.pool,
  at.position,
  t.token,
  t.wrapped,
  at.tokenVault,
  at.solVault,
  t.mint,
  WRAPPED,
  nftAccount,
  t.wallet,
  t.tokenProgram,
  TOKEN,
];

/** Takes the fees out of a position. */
export const claim = (t: Trader, at: Accounts, nftAccount: string): Step =>
  step('takes out the fees of the curve', tags.claim, [], positionSide(t, at, nftAccount), [t.wallet]);

/** Takes all out of a position and closes it. */
export function withdraw(t: Trader, at: Accounts, nftAccount: string): Step[] {
  return [
    step('takes out what is in the curve', tags.remove, [u64(0n), u64(0n)], positionSide(t, at, nftAccount), [
      t.wallet,
    ]),
    claim(t, at, nftAccount),
    step(
      'closes the position',
      tags.close,
      [],
      [at.nftMint, nftAccount, at.pool, at.position, POOL_AUTHORITY, t.wallet, t.wallet, TOKEN_2022],
      [t.wallet],
    ),
  ];
}
