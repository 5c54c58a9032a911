/** What may be asked of the service, and whether a transaction is that. */
import { address } from '../proof/bytes.js';
import { associated } from '../proof/derive.js';
import { amount, isOneOf, type Offer, type Reading, read, TransactionMismatchError } from './compare.js';
import {
  closeWrapped,
  MULTISIG_SEED,
  newToken,
  number,
  openAccount,
  type Step,
  SYSTEM,
  setTransferFee,
  syncNative,
  TOKEN,
  TOKEN_2022,
  transfer,
  WRAPPED,
} from './instructions.js';
import * as locker from './locker.js';
import { type Described, metadataUri } from './metadata.js';
import * as meteora from './meteora.js';
import * as raydium from './raydium.js';

/** A launch, as `POST /tokens/create-unsigned` takes it. */
export interface Creation extends Described {
  readonly decimals: number;
  readonly supply: string;
  readonly transferFeePercent: number;
  readonly transferFeeAdjustable?: boolean | null | undefined;
  readonly immutableMetadata?: boolean | null | undefined;
  /** The key of the guardian, as the guardian itself publishes it. */
  readonly guardian?: string | null | undefined;
}

/** A pool, as `POST /dex/exchange/cpmm/create-unsigned` takes it. */
export interface PoolCreation {
  readonly tokenMint: string;
  readonly tokenAmount: string;
  readonly solAmount: string;
}

/** A curve, as `POST /launchpad/create-unsigned` takes it. */
export interface CurveCreation {
  readonly tokenMint: string;
  readonly tokenAmount: string;
  readonly targetMarketCap: string | number;
  readonly targetMarketCapUnit?: 'SOL' | 'milliSOL' | '' | null | undefined;
  readonly priceMultiplier?: number | null | undefined;
  readonly lockLiquidity?: boolean | null | undefined;
  readonly tradeFeePercent?: number | null | undefined;
  readonly antiSniperFeePercent?: number | null | undefined;
  readonly antiSniperMinutes?: number | null | undefined;
  readonly initialBuyLamports?: string | null | undefined;
  readonly startsAt?: string | null | undefined;
}

/** A trade, as the routes of purchases and sales take it; a purchase may say `lamports` in place of `tokenAmount`. */
export interface Trade {
  readonly tokenAmount?: string | null | undefined;
  readonly lamports?: string | null | undefined;
  readonly slippagePercent?: number | null | undefined;
}

/** A lock over time, as `POST /tokens/{mintAddress}/lock/create-unsigned` takes it. */
export interface TokenLock {
  readonly tokenAmount: string;
  readonly firstReleaseAt: string;
  readonly releases: number;
  readonly periodSeconds?: number | null | undefined;
  readonly recipient?: string | null | undefined;
}

/** The caller's request, and the caller's further knowledge. */
export type Asked =
  | {
      readonly kind: 'launch';
      readonly creation: Creation /** The distribution wallet's address. */;
      readonly to: string;
    }
  | { readonly kind: 'pool'; readonly pool: PoolCreation }
  /** `tax` is the token's in percent: it decides how many tokens arrive, and so the first price. */
  | { readonly kind: 'curve'; readonly curve: CurveCreation; readonly tax: number }
  /** `most` is the maximum cost, in lamports. */
  | { readonly kind: 'buy'; readonly mint: string; readonly trade: Trade; readonly most: bigint }
  /** A purchase for `lamports`; `least` is the minimum amount that arrives, in base units. */
  | { readonly kind: 'spend'; readonly mint: string; readonly trade: Trade; readonly least: bigint }
  /** `least` is the minimum proceeds, in lamports. */
  | { readonly kind: 'sell'; readonly mint: string; readonly trade: Trade; readonly least: bigint }
  | { readonly kind: 'cancel'; readonly mint: string }
  | { readonly kind: 'fees'; readonly mint: string }
  /** `tax` is the token's in percent: it decides how many tokens arrive. */
  | { readonly kind: 'lock'; readonly mint: string; readonly lock: TokenLock; readonly tax: number }
  | { readonly kind: 'promotion'; readonly durationDays: number }
  | { readonly kind: 'tax'; readonly mint: string; readonly transferFeePercent: number };

/** The needed fields of the answers, and the transaction. */
export type Given = Offer & {
  readonly mintKeypair?: { readonly publicKey: string };
  readonly metadataUri?: string;
  readonly poolAddress?: string;
  readonly positionNftMint?: string;
  readonly baseAddress?: string;
  readonly escrowAddress?: string;
  readonly solCost?: string;
  readonly maximumLamports?: string;
  readonly tokenAmount?: string;
  readonly minimumTokenAmount?: string;
  readonly solReceived?: string;
  readonly minimumLamports?: string;
  readonly amount?: string;
  readonly recipient?: string;
  readonly reference?: string;
};

const DAY_OF_PROMOTION = 300_000_000n;
const MAX_DAYS = 30;
const MAX_POINTS = 10_000n;

/**
 * Returns the bytes of a transaction that a wallet may sign: the service's transaction is composed a
 * second time of what was asked for, and its instructions must be those, to the byte, and its signers
 * and accounts no others. Throws `TransactionMismatchError` with the place at which it is another.
 */
export function check(wallet: string, asked: Asked, given: Given): Uint8Array {
  const reading = read(wallet, given, asked.kind === 'launch');
  try {
    return isOneOf(wallet, reading, compose(wallet, asked, given, reading));
  } catch (cause) {
    // A number that does not fit, or a text that is no address.
    throw cause instanceof TransactionMismatchError
      ? cause
      : new TransactionMismatchError((cause as Error).message);
  }
}

/** The ways to do what was asked for: what the chain has of the wallet decides between them. */
function compose(wallet: string, asked: Asked, given: Given, reading: Reading): Step[][] {
  switch (asked.kind) {
    case 'launch':
      return launch(wallet, asked.creation, asked.to, given, reading);
    case 'pool':
      return pool(wallet, asked.pool, given);
    case 'curve':
      return curve(wallet, asked.curve, asked.tax, given);
    case 'buy':
    case 'spend':
    case 'sell':
      return trade(wallet, asked, given);
    case 'cancel':
      return cancel(wallet, asked.mint, reading);
    case 'fees':
      return outOf(wallet, asked.mint, known(given.positionNftMint), (t, at, nftAccount) => [
        meteora.claim(t, at, nftAccount),
      ]);
    case 'lock':
      return lock(wallet, asked.mint, asked.lock, asked.tax, given);
    case 'promotion':
      return promotion(wallet, asked.durationDays, given);
    case 'tax':
      return [[setTransferFee(asked.mint, wallet, points(asked.transferFeePercent))]];
  }
}

function launch(wallet: string, c: Creation, to: string, given: Given, reading: Reading): Step[][] {
  const rent = number(reading.rest[0]?.data.subarray(4, 12) ?? new Uint8Array());
  const guardian = c.guardian || null;
  const multisigRent = guardian ? multisigFor(reading) : 0n;
  if (rent + multisigRent > amount(given.cost.rentLamports))
    throw new TransactionMismatchError(
      `the token's accounts take ${rent + multisigRent} lamports of rent, more than its cost says`,
    );
  const mint = known(given.mintKeypair?.publicKey);
  if (mint === wallet) throw new TransactionMismatchError('it would make your wallet a mint');
  const uri = metadataUri(wallet, mint, c);
  if (given.metadataUri !== uri)
    throw new TransactionMismatchError(
      `its metadata differs: the file is ${JSON.stringify(given.metadataUri?.slice(0, 80))}, and your request makes ${uri}`,
    );
  return [
    newToken({
      payer: wallet,
      mint,
      distributionWallet: to,
      guardian,
      multisigRent,
      name: c.name,
      symbol: c.symbol,
      uri,
      decimals: c.decimals,
      supply: amount(c.supply),
      taxPoints: points(c.transferFeePercent),
      adjustable: c.transferFeeAdjustable ?? false,
      immutable: c.immutableMetadata ?? false,
      rent,
      funding: amount(given.cost.distributionWalletFundingLamports),
    }),
  ];
}

/** The lamports of the account of the three members; 0 where the transaction creates none. */
function multisigFor(reading: Reading): bigint {
  const made = reading.rest.find((i) => i.program === SYSTEM && i.data[0] === 3);
  const lamports = 4 + 32 + 8 + MULTISIG_SEED;
  return made ? number(made.data.subarray(lamports, lamports + 8)) : 0n;
}

function pool(wallet: string, p: PoolCreation, given: Given): Step[][] {
  const at = known(given.poolAddress);
  if (at === wallet) throw new TransactionMismatchError("it would make your wallet the pool's account");
  const [tokens, lamports] = [amount(p.tokenAmount), amount(p.solAmount)];
  return raydium.networks.flatMap((network) => {
    // A pool may be at a key of its own, which signs.
    const fresh = at !== raydium.poolAddress(network, p.tokenMint);
    return ways(wallet, p.tokenMint, false, lamports, (t) => [
      raydium.initialize({
        network,
        pool: at,
        fresh,
        wallet,
        mint: p.tokenMint,
        tokenProgram: t.tokenProgram,
        tokens,
        lamports,
      }),
    ]);
  });
}

function curve(wallet: string, c: CurveCreation, tax: number, given: Given): Step[][] {
  const nft = known(given.positionNftMint);
  if (nft === wallet)
    throw new TransactionMismatchError('it would make your wallet the mint of the position NFT');
  const tokens = amount(c.tokenAmount);
  const withheld = (tokens * points(tax) + MAX_POINTS - 1n) / MAX_POINTS;
  const { start, liquidity } = meteora.plan(
    tokens - withheld,
    target(c),
    hundredths(c.priceMultiplier ?? 16),
  );
  const fee = meteora.fee(
    points(c.tradeFeePercent ?? 1),
    points(c.antiSniperFeePercent ?? 0),
    BigInt(c.antiSniperMinutes ?? 0),
  );
  const at = meteora.accounts(c.tokenMint, nft);
  const made = { start, liquidity, fee, opens: c.startsAt ? seconds(c.startsAt) : null };
  const spent = c.initialBuyLamports ? amount(c.initialBuyLamports) : 0n;
  // The first purchase is known to the unit: nothing comes before it.
  const bought = spent > 0n ? meteora.first(made, spent, points(tax)) : 0n;
  return ways(wallet, c.tokenMint, false, 1n + spent, (t) => [
    meteora.initialize(t, at, made),
    ...((c.lockLiquidity ?? true) ? [meteora.lock(t, at, liquidity)] : []),
    ...(spent > 0n ? [meteora.swap(t, at, 'spends', spent, bought)] : []),
  ]);
}

function trade(wallet: string, asked: Asked & { kind: 'buy' | 'spend' | 'sell' }, given: Given): Step[][] {
  const slip = points(asked.trade.slippagePercent ?? 3);
  const at = meteora.accounts(asked.mint, asked.mint);
  if (!asked.trade.tokenAmount === !asked.trade.lamports)
    throw new TransactionMismatchError('a trade is of tokens or for lamports');
  if (asked.kind === 'spend') {
    const lamports = amount(asked.trade.lamports ?? undefined);
    const limit = amount(given.minimumTokenAmount);
    const now = amount(given.tokenAmount);
    const least = asked.least > 1n ? asked.least : 1n;
    if (limit < least)
      throw new TransactionMismatchError(`${limit} base units arrive at least, fewer than ${least}`);
    if (limit < (now * (MAX_POINTS - slip)) / MAX_POINTS)
      throw new TransactionMismatchError(
        `${limit} base units arrive at least, fewer than the slippage allows below ${now}`,
      );
    return ways(wallet, asked.mint, true, lamports, (t) => [meteora.swap(t, at, 'spends', lamports, limit)]);
  }
  const tokens = amount(asked.trade.tokenAmount ?? undefined);
  if (asked.kind === 'buy') {
    const limit = amount(given.maximumLamports);
    const now = decimals(given.solCost ?? '', 9);
    if (limit > asked.most)
      throw new TransactionMismatchError(`it costs up to ${limit} lamports, more than ${asked.most}`);
    if (limit > (now * (MAX_POINTS + slip) + MAX_POINTS - 1n) / MAX_POINTS)
      throw new TransactionMismatchError(
        `it costs up to ${limit} lamports, more than the slippage allows above ${now}`,
      );
    return ways(wallet, asked.mint, true, limit, (t) => [meteora.swap(t, at, 'buys', tokens, limit)]);
  }
  const limit = amount(given.minimumLamports);
  const now = decimals(given.solReceived ?? '', 9);
  const least = asked.least > 1n ? asked.least : 1n;
  if (limit < least)
    throw new TransactionMismatchError(`it brings ${limit} lamports at least, less than ${least}`);
  if (limit < (now * (MAX_POINTS - slip)) / MAX_POINTS)
    throw new TransactionMismatchError(
      `it brings ${limit} lamports at least, less than the slippage allows below ${now}`,
    );
  return ways(wallet, asked.mint, false, 0n, (t) => [meteora.swap(t, at, 'sells', tokens, limit)]);
}

function cancel(wallet: string, mint: string, reading: Reading): Step[][] {
  // The mint of the position NFT is the first account of the instruction that closes it.
  const nft = reading.rest.filter((i) => i.program === meteora.METEORA)[2]?.accounts[0];
  if (!nft) throw new TransactionMismatchError('it closes no position');
  return outOf(wallet, mint, nft, meteora.withdraw);
}

/** Takes something out of a position, for either account that may have its token. */
function outOf(wallet: string, mint: string, nft: string, take: typeof meteora.withdraw): Step[][] {
  const at = meteora.accounts(mint, nft);
  return [at.nftAccount, associated(wallet, nft, TOKEN_2022)].flatMap((account) =>
    ways(wallet, mint, true, 0n, (t) => take(t, at, account)),
  );
}

function lock(wallet: string, mint: string, l: TokenLock, tax: number, given: Given): Step[][] {
  const base = known(given.baseAddress);
  if (base === wallet)
    throw new TransactionMismatchError('it would use your wallet up as the key of the escrow');
  if (locker.escrowOf(base) !== given.escrowAddress)
    throw new TransactionMismatchError(`the escrow ${given.escrowAddress} is not that of its key`);
  const first = seconds(l.firstReleaseAt);
  const [parts, period] = [BigInt(l.releases), BigInt(l.periodSeconds ?? 0)];
  if (parts < 1n || parts > 1n !== period > 0n || first <= 0n)
    throw new TransactionMismatchError(
      `there is no lock of ${parts} releases with ${period} seconds between them`,
    );
  const locked = locker.fit(points(tax), amount(l.tokenAmount));
  if (locked <= 0n) throw new TransactionMismatchError(`nothing of ${l.tokenAmount} base units would arrive`);
  const recipient = l.recipient || wallet;
  return [TOKEN_2022, TOKEN].map((tokenProgram) =>
    locker.lock({ wallet, mint, tokenProgram, base, recipient, locked, first, parts, period }),
  );
}

function promotion(wallet: string, days: number, given: Given): Step[][] {
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
    throw new TransactionMismatchError(`${days} days are not sold`);
  const price = BigInt(days) * DAY_OF_PROMOTION;
  if (amount(given.amount) !== price)
    throw new TransactionMismatchError(`it costs ${given.amount} lamports, and ${days} days are ${price}`);
  return [
    [transfer('pays for the promotion', wallet, known(given.recipient), price, known(given.reference))],
  ];
}

/** Puts steps between those that open accounts of the wallet and fill and end that of wrapped SOL. */
function ways(
  wallet: string,
  mint: string,
  receives: boolean,
  lamports: bigint,
  middle: (trader: meteora.Trader) => readonly Step[],
): Step[][] {
  const wrapped = associated(wallet, WRAPPED, TOKEN);
  const both = [false, true];
  return [TOKEN_2022, TOKEN].flatMap((tokenProgram) => {
    const token = associated(wallet, mint, tokenProgram);
    const steps = middle({ wallet, mint, tokenProgram, token, wrapped });
    const open = openAccount('opens your account for the token', wallet, mint, tokenProgram);
    const wrap = openAccount('opens your account of wrapped SOL', wallet, WRAPPED, TOKEN);
    return (receives ? both : [true]).flatMap((hasToken) =>
      both.map((hasWrapped) => [
        ...(hasToken ? [] : [open]),
        ...(hasWrapped ? [] : [wrap]),
        ...(lamports > 0n
          ? [
              transfer('moves SOL to your account of wrapped SOL', wallet, wrapped, lamports),
              syncNative(wrapped),
            ]
          : []),
        ...steps,
        ...(hasWrapped ? [] : [closeWrapped(wrapped, wallet)]),
      ]),
    );
  });
}

/** An address that the answer must have. */
function known(text: string | undefined): string {
  address(text ?? '');
  return text as string;
}

/** A number with two decimals at most, in hundredths. */
function hundredths(value: number): bigint {
  const whole = Math.round(value * 100);
  if (!(value >= 0) || Math.abs(value * 100 - whole) > 1e-6)
    throw new TransactionMismatchError(`${value} has more than two decimals`);
  return BigInt(whole);
}

/** Percent in basis points. */
function points(percent: number): bigint {
  const value = hundredths(percent);
  if (value > MAX_POINTS) throw new TransactionMismatchError(`${percent} percent are too many`);
  return value;
}

/** A time in whole seconds since 1970. */
function seconds(text: string): bigint {
  const at = Date.parse(text);
  if (!(at > 0)) throw new TransactionMismatchError(`${JSON.stringify(text.slice(0, 40))} is not a time`);
  return BigInt(Math.floor(at / 1000));
}

/** A decimal number in units of its last decimal. */
function decimals(text: string, digits: number): bigint {
  const [, whole, fraction = ''] = /^([0-9]{1,20})(?:\.([0-9]+))?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > digits)
    throw new TransactionMismatchError(
      `${JSON.stringify(text.slice(0, 40))} is not a number with ${digits} decimals`,
    );
  return BigInt(whole + fraction.padEnd(digits, '0'));
}

/** What a curve is to raise, in lamports, read as the service reads it. */
function target(c: CurveCreation): bigint {
  const text = String(c.targetMarketCap);
  const inSol = c.targetMarketCapUnit === 'SOL' || (!c.targetMarketCapUnit && Number(text) < 1000);
  return decimals(text, inSol ? 9 : 6);
}
