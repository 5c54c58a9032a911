import type { Schemas } from 'tokenlaunch/api';
import type { Wrong } from '../form/document';
import { reading } from '../form/reading';
import { splits } from '../form/splits';
import { usdc } from '../form/usdc';
import { eachLink } from '../token/links';
import { isAddress } from '../ui/address';
import { number, units } from '../ui/entered';
import type { Fields } from './draft';

export type Body = Schemas['TokenCreation'];

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
    minimumHoldersPercent: percent('minimumHoldersPercent', 0),
    changeDelay: fields.changeDelay,
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
    guardian: text(fields.guardian),
  };
  // Hundredths are whole numbers. A sum of decimals could exceed 100 by a rounding error.
  const [burn, share] = [body.burnPercent, body.developerFeePercent].map((p) => Math.round(Number(p) * 100));
  if ((burn ?? 0) + (share ?? 0) > 10_000)
    wrong.developerFeePercent = 'The share to burn and your share add up to more than 100%.';
  else if (Math.round(Number(body.minimumHoldersPercent) * 100) > 10_000 - (burn ?? 0) - (share ?? 0))
    wrong.minimumHoldersPercent = 'The share to burn and your share leave holders less than this.';
  for (const field of ['developerWallet', 'rewardToken', 'guardian'] as const) {
    const value = body[field];
    if (typeof value === 'string' && value !== 'SOL' && !isAddress(value))
      wrong[field] = 'Not a valid address: 32 to 44 letters and digits.';
  }
  if (fields.reward === 'other' && !body.rewardToken)
    wrong.rewardToken = 'Enter the mint address of the reward token.';
  for (const key of Object.keys(body)) if (body[key] === undefined) delete body[key];
  return { body: body as Partial<Body>, wrong };
}
