import type { Schemas } from '../../api/client';
import { basisPoints, percent } from '../percent';

/** What becomes of a tax, in basis points. Those of the tax add up to 10,000. */
export interface Shares {
  /** Of a transfer. */
  readonly tax: number;
  /** Of the tax. */
  readonly burn: number;
  readonly creator: number;
  readonly holders: number;
  /** How much of what has collected one distribution takes. */
  readonly used: number;
}

type Token = Pick<Schemas['Token'], 'transferFeePercent' | 'settings'>;

/** Reads the shares of a token's record. */
export function shares(token: Token): Shares {
  const burn = basisPoints(token.settings.burnPercent);
  const creator = basisPoints(token.settings.developerFeePercent);
  return {
    tax: basisPoints(token.transferFeePercent),
    burn,
    creator,
    holders: 10_000 - burn - creator,
    used: basisPoints(token.settings.percentageToSellPerDistribution),
  };
}

const every: Readonly<{ [interval: string]: string }> = {
  '5m': 'every 5 minutes',
  '10m': 'every 10 minutes',
  '15m': 'every 15 minutes',
  '30m': 'every 30 minutes',
  '1h': 'every hour',
  '6h': 'every 6 hours',
  '12h': 'every 12 hours',
  '24h': 'every day',
};

/** How often a token's tax is distributed, in words. */
export const often = (interval: string): string => every[interval] ?? `every ${interval}`;

/** The same as the picture, in sentences. */
export function sentences(s: Shares, symbol: string, reward: string, interval: string): readonly string[] {
  if (s.tax === 0) return ['Transfers of this token are not taxed, so there is nothing to distribute.'];
  const own = reward === symbol;
  const out = [
    `Of every transfer, ${percent(10_000 - s.tax)} arrives and ${percent(s.tax)} is tax.`,
    s.used === 10_000
      ? `The tax is collected and used ${often(interval)}.`
      : `The tax is collected, and ${percent(s.used)} of what is there is used ${often(interval)}. The rest waits.`,
  ];
  if (s.burn > 0) out.push(`${percent(s.burn)} of it is burned: it is gone for ever.`);
  if (s.burn < 10_000)
    out.push(
      own
        ? `${percent(10_000 - s.burn)} of it is handed on as ${symbol}.`
        : `${percent(10_000 - s.burn)} of it is sold for ${reward}.`,
    );
  if (s.creator > 0)
    out.push(
      `The ${own ? 'part' : 'proceeds'} of ${percent(s.creator)} of it ${own ? 'goes' : 'go'} to the creator.`,
    );
  if (s.holders > 0)
    out.push(
      `The ${own ? 'part' : 'proceeds'} of ${percent(s.holders)} of it ${own ? 'goes' : 'go'} to the holders, each by how much he holds.`,
    );
  return out;
}
