import type { Schemas } from 'tokenlaunch/api';
import { assetOf } from '../token/asset';
import { every } from '../token/interval';
import { basisPoints, percent } from '../token/percent';

/** A token as lists answer it. */
export type Listed = Omit<Schemas['Token'], 'authorities'>;

/** What a token takes of a transfer. */
export const tax = (token: Listed): string =>
  token.transferFeePercent === 0
    ? 'No tax'
    : `${percent(basisPoints(token.transferFeePercent))} tax${token.transferFeeAdjustable ? ' (adjustable)' : ''}`;

/** Whether holders can ever get anything. */
export const pays = (token: Listed): boolean => token.transferFeePercent > 0 || token.transferFeeAdjustable;

/** What its holders get, and how often. */
export function rewards(token: Listed): string {
  if (!pays(token)) return 'No tax, so nothing to pay out';
  if (!token.settings.distributionEnabled) return 'Payouts paused';
  return `Pays ${assetOf(token.settings.rewardToken, token).name} ${every(token.settings.distributionInterval)}`;
}
