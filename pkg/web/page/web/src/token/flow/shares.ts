import type { Schemas } from 'tokenlaunch/api';
import { every } from '../../ui/interval';
import { basisPoints, percent } from '../../ui/percent';

/** The uses of a tax, in basis points. The parts of the tax add up to 10,000. */
export interface Shares {
  /** Of a transfer. */
  readonly tax: number;
  /** Of the tax. */
  readonly burn: number;
  readonly creator: number;
  readonly holders: number;
  /** The part of the collected tax in a distribution. */
  readonly used: number;
}

type Token = Pick<Schemas['Token'], 'transferFeePercent' | 'settings'>;

/** Returns the shares of a token's record. */
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

/** A sentence about a part of the picture, identified by its class. */
export interface Sentence {
  readonly part: 'tax' | 'burn' | 'sell' | 'creator' | 'holders' | null;
  readonly text: string;
}

/** Returns the content of the picture in sentences. */
export function sentences(s: Shares, symbol: string, reward: string, interval: string): readonly Sentence[] {
  if (s.tax === 0)
    return [
      { part: null, text: 'Transfers of this token are not taxed, so there is nothing to distribute.' },
    ];
  const own = reward === symbol;
  const share = (points: number, to: string) =>
    own ? `${percent(points)} of it goes to ${to}` : `The proceeds of ${percent(points)} of it go to ${to}`;
  const out: Sentence[] = [
    {
      part: 'tax',
      text: `Of every transfer, ${percent(10_000 - s.tax)} arrives and ${percent(s.tax)} is tax. ${collected(s, interval)}`,
    },
  ];
  if (s.burn > 0) out.push({ part: 'burn', text: `${percent(s.burn)} of it is burned, permanently.` });
  if (s.burn < 10_000)
    out.push({
      part: 'sell',
      text: `${percent(10_000 - s.burn)} of it is ${own ? `paid out as ${symbol}` : `sold for ${reward}`}.`,
    });
  if (s.creator > 0) out.push({ part: 'creator', text: `${share(s.creator, 'the creator')}.` });
  if (s.holders > 0)
    out.push({
      part: 'holders',
      text: `${share(s.holders, 'holders')}, in proportion to what they hold.`,
    });
  return out;
}

const collected = (s: Shares, interval: string): string =>
  s.used === 10_000
    ? `It is collected and paid out ${every(interval)}.`
    : `It is collected, and ${percent(s.used)} of the balance is paid out ${every(interval)}; the rest waits.`;
