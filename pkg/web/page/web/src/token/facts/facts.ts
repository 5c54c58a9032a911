import type { Schemas } from 'tokenlaunch/api';
import { moment } from '../../ui/clock';
import { lasting } from '../../ui/interval';
import { basisPoints, percent } from '../../ui/percent';

/** The fields of a token's record that decide the facts. */
export type Record = Pick<
  Schemas['Token'],
  | 'authorities'
  | 'transferFeeAdjustable'
  | 'transferFeePercent'
  | 'immutableMetadata'
  | 'creator'
  | 'guardian'
>;

/** The newest hand-over of a token's tax; null before the service's answer. */
export type Handover = Pick<
  Schemas['Handover'],
  'status' | 'newAuthority' | 'orderedBy' | 'effectiveAt' | 'doneAt'
> | null;

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
export function facts(t: Record, handover: Handover): readonly Fact[] {
  return [mint(t), freeze(t), metadata(t), tax(t), collect(t, handover)];
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

/**
 * Returns the addresses that may have the authority over withheld tax, the likeliest first. The
 * record has the authority at launch. A begun hand-over takes effect on the chain at an unknown
 * moment, so both addresses are right meanwhile.
 */
export function collectors(t: Record, handover: Handover): readonly string[] {
  const launched = t.authorities.withdrawWithheld;
  const to = handover?.newAuthority ?? launched;
  if (handover?.status === 'done') return [to];
  return handover?.status === 'begun' ? [launched, to] : [launched];
}

function collect(t: Record, handover: Handover): Fact {
  const to = handover?.newAuthority ?? '';
  return {
    key: 'collect',
    kind: 'open',
    says:
      handover?.status === 'done'
        ? `${who(to, t.creator)} collects the tax, and this service does not share it out any more.`
        : t.guardian === null
          ? 'A wallet of this service collects the tax. Every use of it is published with a proof.'
          : `Two of three collect the tax: a wallet of this service, the guardian ${t.guardian}, and the creator. Every use of it by this service is published with a proof.`,
    field: 'Transfer fee config: withdraw withheld authority',
    value: collectors(t, handover)[0] as string,
  };
}

/** Returns the sentence about the hand-over of a token's tax; null without a hand-over. */
export function handed(t: Pick<Record, 'creator'>, handover: Handover): string | null {
  if (!handover?.newAuthority) return null;
  const to = handover.newAuthority === t.creator ? 'the creator' : `the address ${handover.newAuthority}`;
  const by = handover.orderedBy === 'operator' ? 'The operator of this service' : 'The creator';
  const at = handover.effectiveAt ? `, not before ${moment(handover.effectiveAt)}` : '';
  switch (handover.status) {
    case 'done':
      return `The tax was handed over to ${to}${handover.doneAt ? ` at ${moment(handover.doneAt)}` : ''}. Holders are paid here no more from later tax.`;
    case 'begun':
      return `The tax is being handed over to ${to}. This cannot be cancelled any more.`;
    case 'ordered':
      return `${by} ordered to hand the tax over to ${to}${at}. What is owed is paid before.`;
    default: // none, or cancelled
      return null;
  }
}

/** Returns the sentence about the end of a token's distributions; null without an order of the operator. */
export function ending(t: Pick<Schemas['Token'], 'windsDownAt'>): string | null {
  // A record that a cache holds from before this field has none.
  if (!t.windsDownAt) return null;
  return `The operator of this service ends this token’s distributions from ${moment(t.windsDownAt)} on: what is owed is paid, and the tax goes over to the creator.`;
}

/** A fact about the settings, which the creator orders from the service and the chain does not have. */
export type Term = Pick<Fact, 'kind' | 'says'>;

/** Returns what the creator can change of the payouts, the holders' share first. */
export function terms(t: Pick<Schemas['Token'], 'settings' | 'pendingSettings'>): readonly Term[] {
  const least = basisPoints(t.settings.minimumHoldersPercent);
  // A record that a cache holds from before this field has none.
  const delay = t.settings.changeDelay ?? 'none';
  const words = lasting(delay);
  const next = delay === 'none' ? 'from the next payout on' : `${words} after the change is public`;
  const promised: Term[] = [];
  if (delay !== 'none')
    promised.push({
      kind: 'good',
      says: `A change that lowers what holders get takes effect after ${words}, and tax from before is paid out by the old settings. The creator can raise this delay, and never lower it.`,
    });
  if (t.pendingSettings)
    promised.unshift({
      kind: 'open',
      says: `The creator has changed the settings so that holders get less from ${moment(t.pendingSettings.effectiveAt)} on. The changes are listed below.`,
    });
  if (least === 0)
    return [
      ...promised,
      {
        kind: 'open',
        says: `The creator can lower the holders’ share to 0, pause payouts, and change the reward, the interval and the minimum holding, ${next}.`,
      },
    ];
  return [
    ...promised,
    {
      kind: 'good',
      says: `Holders always get at least ${percent(least)} of what is paid out. The creator can raise this share, and never lower it.`,
    },
    {
      kind: 'open',
      says: `The creator can lower the holders’ share to ${percent(least)}, pause payouts, change the interval, and change the reward to SOL, ${next}. What waits in a pause is shared out later, with at least ${percent(least)} for holders.`,
    },
  ];
}
