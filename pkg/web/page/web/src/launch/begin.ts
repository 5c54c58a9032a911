import { reading } from '../form/reading';
import { decimal, SOL_DECIMALS } from '../ui/amount';
import { number, units } from '../ui/entered';
import { basisPoints } from '../ui/percent';

/** The typed settings of a curve's opening; '' for an empty field. */
export interface Beginning {
  readonly initialBuyLamports: string;
  /** In the visitor's time zone and the browser's format: 2026-11-25T18:00. */
  readonly startsAt: string;
  readonly antiSniperFeePercent: string;
  readonly antiSniperMinutes: string;
}

export const atOnce: Beginning = {
  initialBuyLamports: '',
  startsAt: '',
  antiSniperFeePercent: '',
  antiSniperMinutes: '',
};

/** Returns the creator's remaining share of a token in words. `buys` means that the creator makes a first purchase. */
export function keeps(
  amount: string | undefined,
  token: { readonly supply: string; readonly decimals: number },
  buys: boolean,
): string {
  const kept = BigInt(token.supply) - BigInt(amount ?? token.supply);
  const shown = 'Your token’s page shows everyone your share.';
  if (kept > 0n) return `You keep ${decimal(kept, token.decimals)}. ${shown}`;
  return buys
    ? `All of the supply. You own what your first purchase buys. ${shown}`
    : 'All of the supply: you keep nothing that buyers would have to fear.';
}

const LATEST = 31 * 24 * 3_600_000;

/** Returns the fields of a curve's body for the opening, and their errors. */
export function beginning(typed: Beginning, tradeFeePercent: number | undefined, now: number) {
  const { read, wrong } = reading();
  const given = (field: keyof Beginning) => typed[field].trim() !== '';
  const optional = <T>(field: keyof Beginning, parse: (text: string) => T) =>
    given(field) ? read(field, () => parse(typed[field].trim())) : undefined;
  const body = {
    initialBuyLamports: optional('initialBuyLamports', (text) => units(text, SOL_DECIMALS)),
    startsAt: optional('startsAt', (text) => {
      const at = Date.parse(text);
      if (!(at > now && at <= now + LATEST)) throw new Error('Enter a time within the next 31 days.');
      return new Date(at).toISOString();
    }),
    antiSniperFeePercent: optional('antiSniperFeePercent', number),
    antiSniperMinutes: optional('antiSniperMinutes', number),
  };
  if (given('startsAt') && body.initialBuyLamports && body.initialBuyLamports !== '0')
    wrong.startsAt = 'A curve that opens later takes no first purchase. Leave one of the two empty.';
  if (given('antiSniperMinutes') && !given('antiSniperFeePercent'))
    wrong.antiSniperFeePercent = 'Enter the fee with which the curve opens.';
  if (given('antiSniperFeePercent') && !given('antiSniperMinutes'))
    wrong.antiSniperMinutes = 'Enter how many minutes the fee takes to fall.';
  const { antiSniperFeePercent: first } = body;
  if (
    first !== undefined &&
    tradeFeePercent !== undefined &&
    basisPoints(first) <= basisPoints(tradeFeePercent)
  )
    wrong.antiSniperFeePercent = 'Enter more than the trading fee, to which it falls.';
  return { body, wrong };
}
