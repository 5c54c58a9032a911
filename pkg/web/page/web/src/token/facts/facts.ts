import type { Schemas } from 'tokenlaunch/api';
import { basisPoints, percent } from '../percent';

/** The fields of a token's record that decide the facts. */
export type Record = Pick<
  Schemas['Token'],
  'authorities' | 'transferFeeAdjustable' | 'transferFeePercent' | 'immutableMetadata' | 'creator'
>;

/** A fact about a token, with a way to check the fact on the chain. */
export interface Fact {
  readonly key: 'mint' | 'freeze' | 'metadata' | 'tax' | 'collect';
  /** good: permanent; open: can change; odd: the record contradicts itself. */
  readonly kind: 'good' | 'open' | 'odd';
  readonly says: string;
  /** Field of the mint's account on the chain, and its value. */
  readonly field: string;
  readonly value: string;
}

const NONE = 'none';

const who = (address: string, creator: string): string =>
  address === creator ? 'The creator' : `The wallet ${address}`;

/** Returns the facts of a token, in the order of holders' questions. */
export function facts(t: Record): readonly Fact[] {
  return [mint(t), freeze(t), metadata(t), tax(t), collect(t)];
}

function mint(t: Record): Fact {
  const authority = t.authorities.mint as string | null;
  return {
    key: 'mint',
    kind: authority === null ? 'good' : 'open',
    says: authority === null ? 'No more can be minted.' : `${who(authority, t.creator)} can mint more.`,
    field: 'Mint authority',
    value: authority ?? NONE,
  };
}

function freeze(t: Record): Fact {
  const authority = t.authorities.freeze as string | null;
  return {
    key: 'freeze',
    kind: authority === null ? 'good' : 'open',
    says:
      authority === null
        ? 'Your tokens cannot be frozen.'
        : `${who(authority, t.creator)} can freeze your tokens.`,
    field: 'Freeze authority',
    value: authority ?? NONE,
  };
}

function metadata(t: Record): Fact {
  const authority = t.authorities.metadataUpdate;
  const odd = (authority === null) !== t.immutableMetadata;
  return {
    key: 'metadata',
    kind: odd ? 'odd' : authority === null ? 'good' : 'open',
    says: odd
      ? 'The record contradicts itself on who can change the name and picture. Check the chain.'
      : authority === null
        ? 'The name and picture are locked.'
        : `${who(authority, t.creator)} can still change the name and picture.`,
    field: 'Token metadata: update authority',
    value: authority ?? NONE,
  };
}

function tax(t: Record): Fact {
  const authority = t.authorities.transferFeeConfig;
  const points = basisPoints(t.transferFeePercent);
  const odd = (authority !== null) !== t.transferFeeAdjustable;
  return {
    key: 'tax',
    kind: odd ? 'odd' : authority === null ? 'good' : 'open',
    says: odd
      ? 'The record contradicts itself on who can change the tax. Check the chain.'
      : authority === null
        ? points === 0
          ? 'There is no tax, and none can be added.'
          : `The tax is fixed at ${percent(points)}.`
        : `The tax was ${percent(points)} at launch. ${who(authority, t.creator)} can change it, up to 100%. ` +
          'A change takes effect two to four days later.',
    field: 'Transfer fee config: authority',
    value: authority ?? NONE,
  };
}

function collect(t: Record): Fact {
  return {
    key: 'collect',
    kind: 'open',
    says: 'A wallet of this service collects the tax. Every use of it is published with a proof.',
    field: 'Transfer fee config: withdraw withheld authority',
    value: t.authorities.withdrawWithheld,
  };
}
