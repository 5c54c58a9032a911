import { decimal } from '../ui/amount';
import type { Body } from './body';
import { usdc } from './body';
import type { Fields } from './draft';

/** The intervals of distributions, in words. */
export const intervals = [
  ['5m', 'every 5 minutes'],
  ['10m', 'every 10 minutes'],
  ['15m', 'every 15 minutes'],
  ['30m', 'every 30 minutes'],
  ['1h', 'every hour'],
  ['6h', 'every 6 hours'],
  ['12h', 'every 12 hours'],
  ['24h', 'every day'],
] as const;

/** What the holders are paid in. */
function reward(body: Partial<Body>): string {
  if (!body.rewardToken || body.rewardToken === 'SOL') return 'SOL';
  return body.rewardToken === usdc() ? 'USDC' : 'the token that you named';
}

/** The parts of the tax in hundredths of a percent: burned, the creator's, the holders'. */
export function shares(body: Partial<Body>): { burn: number; creator: number; holders: number } {
  const burn = Math.round((body.burnPercent ?? 0) * 100);
  const creator = Math.round((body.developerFeePercent ?? 0) * 100);
  return { burn, creator, holders: Math.max(0, 10_000 - burn - creator) };
}

const percent = (hundredths: number): string => `${hundredths / 100}%`;

/** What will be, in sentences: what the holders get, and who can still change what. */
export function summary(fields: Fields, body: Partial<Body>): { holders: string[]; later: string[] } {
  const symbol = fields.symbol.trim() || 'your token';
  const tax = body.transferFeePercent ?? 0;
  const { burn, creator, holders } = shares(body);
  const every = intervals.find(([value]) => value === body.distributionInterval)?.[1] ?? 'every hour';
  const said: string[] = [];
  if (body.supply)
    said.push(
      `${decimal(body.supply, Number(fields.decimals))} of ${symbol} are made, once. All of them come to you, and nobody can ever make more or freeze any.`,
    );
  if (tax === 0) said.push('There is no tax, so there is nothing to share out.');
  else {
    said.push(`Of each transfer of ${symbol}, ${tax}% is kept as tax.`);
    const parts = [
      burn ? `${percent(burn)} is burned, which makes the rest scarcer` : '',
      creator
        ? `${percent(creator)} goes to ${fields.developerWallet.trim() ? 'the wallet that you named' : 'you'} in ${reward(body)}`
        : '',
      holders
        ? `${percent(holders)} goes to the holders in ${reward(body)}, in proportion to what they hold`
        : '',
    ].filter(Boolean);
    const sell = body.percentageToSellPerDistribution ?? 100;
    said.push(
      `${sentence(every)}, ${sell === 100 ? 'what has come in' : `${sell}% of what has come in`} is shared out: ${parts.join('; ')}.`,
    );
    const least = body.minimumHoldingRequirement;
    if (least && least !== '0' && least !== '1' && holders)
      said.push(`Whoever holds less than ${decimal(least, Number(fields.decimals))} ${symbol} gets nothing.`);
  }
  const later = [
    fields.transferFeeAdjustable
      ? 'You can change the tax later. A change holds some days after it was made, and everybody can see it coming.'
      : 'Nobody can change the tax, you included.',
    fields.immutableMetadata
      ? 'Nobody can change the name, the symbol and the picture.'
      : 'You can change the name, the symbol and the picture.',
    'You can change how the tax is shared, how often and in what, and you can pause it. Each change is public.',
  ];
  return { holders: said, later };
}

/** Things that are allowed and may not be meant. */
export function doubts(body: Partial<Body>): string[] {
  const said: string[] = [];
  if (
    body.supply &&
    body.minimumHoldingRequirement &&
    BigInt(body.minimumHoldingRequirement) > BigInt(body.supply)
  )
    said.push(
      'Nobody can hold as much as you ask for: it is more than the whole supply, so nobody would be paid.',
    );
  if ((body.transferFeePercent ?? 0) > 10)
    said.push(
      `A tax of ${body.transferFeePercent}% is much: whoever buys and sells loses it twice, and many will not.`,
    );
  if (shares(body).holders === 0 && (body.transferFeePercent ?? 0) > 0)
    said.push('The holders would get nothing.');
  return said;
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
