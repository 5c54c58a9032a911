import type { Schemas } from 'tokenlaunch/api';
import { isAddress } from '../ui/address';
import { number } from '../ui/entered';

/** The maximum number of wallets that share the creator's part. */
export const MAX_SPLITS = 10;

/** A comma between two wallets: the following text is more than the rest of a percentage. */
const BETWEEN = /,(?!\d+%?\s*(?:,|$))/;

/** Parses the wallets that share the creator's part, with their percentages, separated by commas. Throws a sentence. */
export function splits(text: string): Schemas['CreatorSplit'][] {
  if (text.trim() === '') return [];
  const list = text.split(BETWEEN).map((one) => {
    const [wallet = '', percent = '', ...rest] = one.trim().split(/[\s=]+/);
    if (!isAddress(wallet) || !/^\d{1,3}([.,]\d+)?%?$/.test(percent) || rest.length > 0)
      throw new Error('Enter each wallet with its percentage.');
    if (/[.,]\d{3}/.test(percent)) throw new Error('Use at most 2 decimals.');
    return { wallet, percent: number(percent.replace('%', '')) };
  });
  if (new Set(list.map((one) => one.wallet)).size < list.length) throw new Error('Enter each wallet once.');
  const sum = list.reduce((all, one) => all + Math.round(one.percent * 100), 0);
  if (list.length < 2 || list.length > MAX_SPLITS || sum !== 10_000 || list.some((one) => one.percent === 0))
    throw new Error('Enter two to ten wallets whose percentages add up to 100.');
  return list;
}

/** A wallet and its percentage, as typed. */
export interface Row {
  readonly wallet: string;
  readonly percent: string;
}

/** Reads the rows of a text, also of incomplete rows. */
export function rowsOf(text: string): Row[] {
  if (text.trim() === '') return [];
  return text.split(BETWEEN).map((one) => {
    const [first = '', ...rest] = one.trim().split(/[\s=]+/);
    const alone = rest.length === 0 && /^\d{1,3}([.,]\d*)?%?$/.test(first);
    return alone ? { wallet: '', percent: first } : { wallet: first, percent: rest.join(' ') };
  });
}

/** Writes rows as a text. A decimal comma becomes a point, because commas divide the rows. */
export const textOf = (rows: readonly Row[]): string =>
  rows.map(({ wallet, percent }) => `${wallet.trim()} ${percent.trim().replace(',', '.')}`.trim()).join(', ');
