import type { Schemas } from 'tokenlaunch/api';
import { assetOf } from '../token/asset';
import { paid } from '../token/figures';
import { compact, count, SOL_DECIMALS } from '../ui/amount';
import { every } from '../ui/interval';
import { basisPoints, percent } from '../ui/percent';

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

/** Describes what a token's holders were paid; null before the first payout. */
export function record(token: Listed): string | null {
  const [first] = token.figures?.paid ?? [];
  return first
    ? `${paid(token, first, first.paid)} paid, ${paid(token, first, first.lastDay.paid)} in 24 h`
    : null;
}

/** Describes how many hold a token; null while it is not known. */
export function holders(token: Listed): string | null {
  const owners = token.figures?.holders?.owners;
  return owners === undefined ? null : `${count(owners)} ${owners === 1 ? 'holder' : 'holders'}`;
}

/** Describes what was traded of a token on its curve; null without a trade. */
export const traded = (token: Listed): string | null =>
  token.figures && token.figures.tradedLamports !== '0'
    ? `${compact(token.figures.tradedLamports, SOL_DECIMALS)} SOL traded`
    : null;

/** The figures of a creator: the tokens, those that paid holders, and those whose payouts are paused. */
export const standings = (
  tokens: readonly Listed[],
  total: number,
): readonly (readonly [string, string])[] => [
  ['Tokens', count(total)],
  [of(tokens, total, 'paid holders'), count(tokens.filter((t) => (t.figures?.payouts ?? 0) > 0).length)],
  [
    of(tokens, total, 'paused payouts'),
    count(tokens.filter((t) => pays(t) && !t.settings.distributionEnabled).length),
  ],
];

/** Names a number of the tokens on this page, or of all tokens. */
const of = (tokens: readonly Listed[], total: number, what: string) =>
  tokens.length < total ? `of the ${tokens.length} on this page ${what}` : `of them ${what}`;
