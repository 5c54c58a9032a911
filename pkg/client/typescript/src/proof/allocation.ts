/** How a run's tokens and proceeds are divided: integers alone, and every division rounds down. */

/** 100 percent in basis points. */
export const FULL = 10_000n;

/** Wraps to 64 bits, as the service's arithmetic does. */
export const u64 = (value: bigint): bigint => BigInt.asUintN(64, value);

/** What becomes of a wallet's tokens in a run. */
export interface Cut {
  readonly slice: bigint;
  readonly burn: bigint;
  readonly sell: bigint;
}

/** Divides what the wallet can spend; `unsold` is the part whose burn was taken before. */
export function split(spendable: bigint, unsoldBefore: bigint, sellBps: bigint, burnBps: bigint): Cut {
  const unsold = unsoldBefore < spendable ? unsoldBefore : spendable;
  const slice = part(spendable - unsold, sellBps, FULL);
  if (burnBps >= FULL) return { slice, burn: slice + unsold, sell: 0n };
  const burn = part(slice, burnBps, FULL);
  return { slice, burn, sell: slice - burn + unsold };
}

/** The creator's part of the proceeds: the developer fee is of what was sold and burned together. */
export const creatorPart = (proceeds: bigint, burnBps: bigint, developerFeeBps: bigint): bigint =>
  part(proceeds, developerFeeBps, BigInt.asIntN(64, FULL - burnBps));

const creatorsPart = (share: bigint, bps: bigint): bigint => part(share, bps, FULL);

/**
 * The creator's share, divided by the parts of the wallets in basis points. Each is rounded down,
 * and the first wallet gets what is left over, too.
 */
export function creatorsParts(share: bigint, bps: readonly bigint[]): readonly bigint[] {
  const others = bps.slice(1).map((one) => creatorsPart(share, one));
  return [others.reduce((left, one) => u64(left - one), share), ...others];
}

function part(amount: bigint, numerator: bigint, denominator: bigint): bigint {
  if (numerator <= 0n || denominator <= 0n) return 0n;
  return (amount * (numerator < denominator ? numerator : denominator)) / denominator;
}
