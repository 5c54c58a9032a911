import type { Schemas } from 'tokenlaunch/api';
import { lasting } from '../../ui/interval';
import { assetOf, brief } from '../asset';

type Name = Exclude<keyof Schemas['DistributionSettings'], 'distributionModel'>;

/** The parts of a token that the words need. */
export type Of = Pick<Schemas['Token'], 'mintAddress' | 'symbol' | 'decimals'>;

/** The settings that a creator can change, in words for holders. */
const names: Readonly<Record<Name, string>> = {
  distributionInterval: 'Interval',
  rewardToken: 'Reward',
  minimumHoldingRequirement: 'Minimum holding',
  percentageToSellPerDistribution: 'Collected tax paid out each time',
  burnPercent: 'Burned',
  developerFeePercent: "Creator's share",
  developerWallet: "Creator's wallet",
  creatorSplits: "Wallets that share the creator's share",
  rewardBasis: 'Who is paid',
  minimumHoldersPercent: 'Share that holders always get',
  changeDelay: 'Delay of changes for the worse',
  distributionEnabled: 'Payouts',
  telegramGroupId: 'Telegram group',
};

/** Returns the value of a setting in words. */
function value(field: string, text: string, token: Of): string {
  if (field.endsWith('Percent') || field === 'percentageToSellPerDistribution') return `${text}%`;
  switch (field) {
    case 'distributionEnabled':
      return text === 'true' ? 'on' : 'paused';
    case 'rewardToken':
      return assetOf(text, token).name;
    case 'minimumHoldingRequirement':
      return brief(assetOf(token.mintAddress, token), text);
    case 'changeDelay':
    case 'distributionInterval':
      return lasting(text);
    default:
      return text || 'none';
  }
}

/** Returns a changed setting in words. A private setting has no values. */
export function difference(one: Schemas['ChangedSetting'], token: Of): string {
  const name = names[one.field as Name] ?? one.field;
  if (one.before === undefined && one.after === undefined) return `${name} changed`;
  return `${name}: from ${value(one.field, one.before ?? '', token)} to ${value(one.field, one.after ?? '', token)}`;
}
