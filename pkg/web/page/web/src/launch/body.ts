import { base58 } from '@scure/base';
import type { Schemas } from 'tokenlaunch/api';
import { config } from '../config';
import { eachLink } from '../token/links';
import { number, units } from '../ui/entered';
import type { Wrong } from './document';
import type { Fields } from './draft';
import { reading } from './reading';

export type Body = Schemas['TokenCreation'];

const USDC: Readonly<Record<string, string>> = {
  devnet: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
};

/** The mint of USDC on this network. */
export const usdc = (): string => USDC[config.network] ?? 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** Returns whether a text is an address: base58 of 32 bytes. */
export function isAddress(text: string): boolean {
  try {
    return base58.decode(text).length === 32;
  } catch {
    return false;
  }
}

/** The maximum number of wallets that share the creator's part. */
const MOST_SPLITS = 10;

/** A comma between two wallets: the following text is more than the rest of a percentage. */
const BETWEEN = /,(?!\d+%?\s*(?:,|$))/;

/** Parses the wallets that share the creator's part, with their percentages, separated by commas. Throws a sentence. */
export function splits(text: string): Schemas['CreatorSplit'][] {
  if (text.trim() === '') return [];
  const list = text.split(BETWEEN).map((one) => {
    const [wallet = '', percent = '', ...rest] = one.trim().split(/[\s=]+/);
    if (!isAddress(wallet) || !/^\d{1,3}([.,]\d+)?%?$/.test(percent) || rest.length > 0)
      throw new Error('Enter each wallet with its percentage, divided by commas.');
    if (/[.,]\d{3}/.test(percent)) throw new Error('Use at most 2 decimals.');
    return { wallet, percent: number(percent.replace('%', '')) };
  });
  if (new Set(list.map((one) => one.wallet)).size < list.length) throw new Error('Enter each wallet once.');
  const sum = list.reduce((all, one) => all + Math.round(one.percent * 100), 0);
  if (list.length < 2 || list.length > MOST_SPLITS || sum !== 10_000 || list.some((one) => one.percent === 0))
    throw new Error('Enter two to ten wallets whose percentages add up to 100.');
  return list;
}

/** Trims a text; undefined for an empty text. */
const text = (value: string): string | undefined => value.trim() || undefined;

/**
 * Returns the body of the call, and the errors of unreadable or contradictory fields. Rules of the
 * document for a single field are not checked here.
 */
export function toBody(fields: Fields): { body: Partial<Body>; wrong: Wrong } {
  const { read, wrong } = reading();
  const percent = (field: keyof Fields & keyof Body, unset?: number) =>
    text(fields[field] as string) === undefined ? unset : read(field, () => number(fields[field] as string));
  const decimals = Number(fields.decimals);
  const body: Record<string, unknown> = {
    name: text(fields.name),
    symbol: text(fields.symbol),
    description: text(fields.description),
    ...eachLink((name) => text(fields[name])),
    transferFeePercent: percent('transferFeePercent'),
    burnPercent: percent('burnPercent', 0),
    developerFeePercent: percent('developerFeePercent', 0),
    // With splits, the single wallet gets no share, and is left out.
    developerWallet: text(fields.creatorSplits) ? undefined : text(fields.developerWallet),
    creatorSplits: text(fields.creatorSplits)
      ? read('creatorSplits', () => splits(fields.creatorSplits))
      : undefined,
    distributionInterval: fields.distributionInterval,
    rewardBasis: fields.rewardBasis,
    percentageToSellPerDistribution: percent('percentageToSellPerDistribution', 100),
    rewardToken:
      fields.reward === 'USDC' ? usdc() : fields.reward === 'SOL' ? 'SOL' : text(fields.rewardToken),
    minimumHoldingRequirement: text(fields.minimumHoldingRequirement)
      ? read('minimumHoldingRequirement', () => units(fields.minimumHoldingRequirement, decimals))
      : undefined,
    decimals,
    supply: text(fields.supply) ? read('supply', () => units(fields.supply, decimals, 1n)) : undefined,
    transferFeeAdjustable: fields.transferFeeAdjustable,
    immutableMetadata: fields.immutableMetadata,
  };
  // Hundredths are whole numbers. A sum of decimals could exceed 100 by a rounding error.
  const [burn, share] = [body.burnPercent, body.developerFeePercent].map((p) => Math.round(Number(p) * 100));
  if ((burn ?? 0) + (share ?? 0) > 10_000)
    wrong.developerFeePercent = 'The share to burn and your share add up to more than 100%.';
  for (const field of ['developerWallet', 'rewardToken'] as const) {
    const value = body[field];
    if (typeof value === 'string' && value !== 'SOL' && !isAddress(value))
      wrong[field] = 'Not a valid address: 32 to 44 letters and digits.';
  }
  if (fields.reward === 'other' && !body.rewardToken)
    wrong.rewardToken = 'Enter the mint address of the reward token.';
  for (const key of Object.keys(body)) if (body[key] === undefined) delete body[key];
  return { body: body as Partial<Body>, wrong };
}
