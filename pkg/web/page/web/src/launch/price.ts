/** Digits of a price after its leading zeros. */
const DIGITS = 6;
const SCALE = 10n ** 30n;

/** Returns the part of an amount that arrives after the tax, which rounds up. */
export function afterTax(units: bigint, percent: number): bigint {
  const points = BigInt(Math.round(percent * 100));
  return units - (units * points + 9_999n) / 10_000n;
}

/** Returns the price of lamports for base units, in SOL per whole token, rounded down. */
export function price(lamports: bigint, units: bigint, decimals: number): string {
  if (units === 0n) return '0';
  // Lamports are 10^-9 SOL.
  return digits((lamports * SCALE * 10n ** BigInt(decimals)) / (units * 10n ** 9n));
}

/**
 * Returns the first price of a curve and the price at its target, in SOL per whole token:
 * target/(T·(√M−1)), and M times that price. `multiplier` is in hundredths.
 */
export function curvePrices(
  target: bigint,
  units: bigint,
  multiplier: bigint,
  decimals: number,
): { start: string; end: string } {
  // √M with 15 decimals, from M with 30 decimals.
  const root = squareRoot((multiplier * SCALE) / 100n);
  const unit = 10n ** 15n;
  const parts = units * (root - unit) * 10n ** 9n;
  if (parts <= 0n) return { start: '0', end: '0' };
  const start = (target * SCALE * unit * 10n ** BigInt(decimals)) / parts;
  return { start: digits(start), end: digits((start * multiplier) / 100n) };
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

function digits(value: bigint): string {
  const whole = (value / SCALE).toString();
  const rest = (value % SCALE).toString().padStart(30, '0');
  const first = whole === '0' ? rest.search(/[1-9]/) : 0;
  const kept =
    first < 0 ? '' : rest.slice(0, whole === '0' ? first + DIGITS : Math.max(0, DIGITS - whole.length));
  return kept.replace(/0+$/, '') ? `${whole}.${kept.replace(/0+$/, '')}` : whole;
}
