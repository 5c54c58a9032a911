/** Decimals of SOL: a lamport is 10^-9 of it. */
export const SOL_DECIMALS = 9;

/** Digits with at most one decimal point. */
export const PLAIN = /^(\d+)(?:\.(\d+))?$/;

/**
 * Returns an amount in base units as an exact decimal number with separated thousands and without
 * trailing zeros. `places` cuts (never rounds up) further decimals.
 */
export function decimal(units: bigint | string, decimals: number, places = decimals): string {
  const value = BigInt(units);
  const scale = 10n ** BigInt(decimals);
  const whole = (value / scale).toString().replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  const rest = (value % scale).toString().padStart(decimals, '0').slice(0, places).replace(/0+$/, '');
  return rest ? `${whole}.${rest}` : whole;
}

/** Returns a whole number with separated thousands. */
export const count = (n: number | bigint): string => decimal(String(n), 0);

/** Parses a plain decimal number as base units; null for other texts or too many decimals. */
export function baseUnits(text: string, decimals: number): bigint | null {
  const match = PLAIN.exec(text);
  if (!match) return null;
  const rest = (match[2] ?? '').replace(/0+$/, '');
  if (rest.length > decimals) return null;
  return BigInt((match[1] ?? '0') + rest.padEnd(decimals, '0'));
}

/** Returns a short form of an amount in base units, cut to three digits: 1,234,567 is "1.23M". */
export function compact(units: bigint | string, decimals: number): string {
  const value = BigInt(units);
  for (const [zeros, name] of [
    [12, 'T'],
    [9, 'B'],
    [6, 'M'],
    [3, 'k'],
  ] as const) {
    const scale = 10n ** BigInt(decimals + zeros);
    if (value < scale) continue;
    const whole = (value / scale).toString();
    return `${decimal(value, decimals + zeros, Math.max(0, 3 - whole.length))}${name}`;
  }
  const whole = (value / 10n ** BigInt(decimals)).toString();
  if (whole !== '0') return decimal(value, decimals, Math.max(0, 3 - whole.length));
  return decimal(value, decimals, Math.min(decimals, decimals - value.toString().length + 3));
}

/** Returns lamports as SOL. */
export const sol = (lamports: bigint | string, places = SOL_DECIMALS): string =>
  `${decimal(lamports, SOL_DECIMALS, places)} SOL`;

/** Returns the beginning and end of an address, for a visual comparison. */
export const short = (address: string): string =>
  address.length > 12 ? `${address.slice(0, 4)}…${address.slice(-4)}` : address;
