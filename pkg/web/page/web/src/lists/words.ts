import type { Schemas } from 'tokenlaunch/api';
import { assetOf } from '../token/asset';
import { every } from '../token/interval';
import { basisPoints, percent } from '../token/percent';

/** A token in a response of lists. */
export type Listed = Omit<Schemas['Token'], 'authorities'>;

/** Describes a token's tax on a transfer. */
export const tax = (token: Listed): string =>
  token.transferFeePercent === 0
    ? 'No tax'
    : `${percent(basisPoints(token.transferFeePercent))} tax${token.transferFeeAdjustable ? ' (adjustable)' : ''}`;

/** Returns whether holders can ever receive rewards. */
export const pays = (token: Listed): boolean => token.transferFeePercent > 0 || token.transferFeeAdjustable;

/** Describes the holders' rewards and their interval. */
export function rewards(token: Listed): string {
  if (!pays(token)) return 'No tax, so nothing to pay out';
  if (!token.settings.distributionEnabled) return 'Payouts paused';
  return `Pays ${assetOf(token.settings.rewardToken, token).name} ${every(token.settings.distributionInterval)}`;
}
