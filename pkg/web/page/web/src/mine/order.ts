import type { Schemas } from '../api/client';

/** The settings that an order is of; those of the service have more. */
export type Ordered = Omit<Schemas['DistributionSettings'], 'distributionModel' | 'telegramGroupId'>;

/** A percentage of the API, which has two decimals at most, in basis points. */
const points = (percent: number): string => `${Math.round(percent * 100)} basis points`;

/** The text that a creator signs to order a version of the settings of a token; see OrderText in pkg/token/terms. */
export const orderText = (mint: string, version: number, settings: Ordered): string =>
  [
    'Tokenlaunch distribution settings',
    `Token: ${mint}`,
    `Version: ${version}`,
    `Interval: ${settings.distributionInterval}`,
    `Reward token: ${settings.rewardToken}`,
    `Minimum holding: ${settings.minimumHoldingRequirement} base units`,
    `Sell: ${points(settings.percentageToSellPerDistribution)}`,
    `Burn: ${points(settings.burnPercent)}`,
    `Developer fee: ${points(settings.developerFeePercent)}`,
    `Developer wallet: ${settings.developerWallet}`,
    `Enabled: ${settings.distributionEnabled ? 'yes' : 'no'}`,
  ].join('\n');
