import { sentence } from '../form/options';
import { usdc } from '../form/usdc';
import { decimal } from '../ui/amount';
import { every, lasting } from '../ui/interval';
import type { Body } from './body';
import type { Fields } from './draft';

/** Describes the receivers of the creator's part. */
function creators(fields: Fields, body: Partial<Body>): string {
  const sharing = body.creatorSplits?.length;
  if (sharing) return `the ${sharing} wallets you chose`;
  return fields.developerWallet.trim() ? 'the wallet you chose' : 'you';
}

/** Describes the reward asset. */
function reward(body: Partial<Body>): string {
  if (!body.rewardToken || body.rewardToken === 'SOL') return 'SOL';
  return body.rewardToken === usdc() ? 'USDC' : 'the token you chose';
}

/** Returns the parts of the tax in hundredths of a percent: burned, the creator's, the holders'. */
export function shares(body: Partial<Body>): { burn: number; creator: number; holders: number } {
  const burn = Math.round((body.burnPercent ?? 0) * 100);
  const creator = Math.round((body.developerFeePercent ?? 0) * 100);
  return { burn, creator, holders: Math.max(0, 10_000 - burn - creator) };
}

const percent = (hundredths: number): string => `${hundredths / 100}%`;

/** Describes the token's future in sentences: the holders' rewards, and the remaining rights to change the token. */
export function summary(fields: Fields, body: Partial<Body>): { holders: string[]; later: string[] } {
  const symbol = fields.symbol.trim() || 'your token';
  const tax = body.transferFeePercent ?? 0;
  const { burn, creator, holders } = shares(body);
  const often = every(body.distributionInterval || '1h');
  const said: string[] = [];
  if (body.supply)
    said.push(
      `${decimal(body.supply, Number(fields.decimals))} ${fields.symbol.trim() || 'tokens'} are minted once and sent to you. No more can ever be minted, and none can be frozen.`,
    );
  if (tax === 0) said.push('There is no tax, so there is nothing to pay out.');
  else {
    said.push(`Every transfer of ${symbol} pays ${tax}% tax.`);
    const parts = [
      burn ? `${percent(burn)} is burned` : '',
      creator ? `${percent(creator)} goes to ${creators(fields, body)} in ${reward(body)}` : '',
      holders
        ? `${percent(holders)} goes to holders in ${reward(body)}, in proportion to what they hold`
        : '',
    ].filter(Boolean);
    const sell = body.percentageToSellPerDistribution ?? 100;
    said.push(
      `${sentence(often)}, ${sell === 100 ? 'the collected tax' : `${sell}% of the collected tax`} is paid out: ${parts.join('; ')}.`,
    );
    if (body.rewardBasis === 'held' && holders)
      said.push(
        'What a holder has counts only as far as they also had it at the payout before: buying just before one earns nothing.',
      );
    const least = body.minimumHoldingRequirement;
    if (least && least !== '0' && least !== '1' && holders)
      said.push(`Holders with less than ${decimal(least, Number(fields.decimals))} ${symbol} get nothing.`);
  }
  const later = [
    fields.transferFeeAdjustable
      ? 'You can change the tax. A change takes effect two to four days later, so everyone can see it coming.'
      : 'The tax is fixed. Not even you can change it.',
    fields.immutableMetadata
      ? 'The name, symbol and picture are locked.'
      : 'You can change the name, symbol and picture.',
    body.minimumHoldersPercent
      ? `Holders always get at least ${body.minimumHoldersPercent}% of what is paid out. You can raise this share, and never lower it. You can still pause payouts, and change the interval.`
      : 'You can change the shares, the interval and the reward, and pause payouts. Every change is public.',
    ...(body.changeDelay && body.changeDelay !== 'none'
      ? [
          `A change that lowers what holders get takes effect after ${lasting(body.changeDelay)}, and tax from before is paid out by the old settings.`,
        ]
      : []),
    ...(body.guardian
      ? ['Two of three collect the tax or hand it over: the distribution wallet, the guardian and you.']
      : []),
  ];
  return { holders: said, later };
}

/** Returns warnings about allowed but perhaps unintended values. */
export function doubts(body: Partial<Body>): string[] {
  const said: string[] = [];
  if (
    body.supply &&
    body.minimumHoldingRequirement &&
    BigInt(body.minimumHoldingRequirement) > BigInt(body.supply)
  )
    said.push('The minimum holding is more than the whole supply, so no holder would be paid.');
  if ((body.transferFeePercent ?? 0) > 10)
    said.push(
      `A ${body.transferFeePercent}% tax is high: traders pay it on every buy and every sell, and many will stay away.`,
    );
  if (body.creatorSplits?.length && shares(body).creator === 0)
    said.push('Wallets are to share what you get, and your share is 0%.');
  if (shares(body).holders === 0 && (body.transferFeePercent ?? 0) > 0)
    said.push('Holders would get nothing.');
  return said;
}
