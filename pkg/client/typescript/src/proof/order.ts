/** The text that a token's creator signs to order a version of its settings. */
import { sha256 } from '@noble/hashes/sha2.js';
import { address, bytesOf, hex, unbase58 } from './bytes.js';
import { Fault } from './fault.js';
import type { Manifest, Settings } from './manifest.js';
import { isSignedText } from './signed.js';

export { isSigned } from './signed.js';

/** Settings as the API has them, with percentages of two decimals at most. */
export interface Ordered {
  readonly distributionInterval: string;
  readonly rewardToken: string;
  readonly minimumHoldingRequirement: string;
  readonly percentageToSellPerDistribution: number;
  readonly burnPercent: number;
  readonly developerFeePercent: number;
  readonly developerWallet: string;
  readonly creatorSplits?: readonly { readonly wallet: string; readonly percent: number }[];
  readonly rewardBasis?: string;
  readonly minimumHoldersPercent?: number;
  readonly changeDelay?: string;
  readonly distributionEnabled: boolean;
}

/** Shares in basis points. */
interface Terms {
  readonly interval: string;
  readonly rewardToken: string;
  readonly minimumHolding: bigint | string;
  readonly sellBps: bigint | number;
  readonly burnBps: bigint | number;
  readonly developerFeeBps: bigint | number;
  readonly developerWallet: string;
  readonly creatorSplits: readonly { readonly wallet: string; readonly partBps: bigint | number }[];
  /** Empty for that of the snapshot, which is in no line. */
  readonly rewardBasis: string;
  /** 0 for none, which is in no line. */
  readonly minimumHoldersBps: bigint | number;
  /** Empty for none, which is in no line. */
  readonly changeDelay: string;
  readonly enabled: boolean;
}

const written = (mint: string, version: bigint | number, t: Terms): string =>
  [
    'Tokenlaunch distribution settings',
    `Token: ${mint}`,
    `Version: ${version}`,
    `Interval: ${t.interval}`,
    `Reward token: ${t.rewardToken}`,
    `Minimum holding: ${t.minimumHolding} base units`,
    `Sell: ${t.sellBps} basis points`,
    `Burn: ${t.burnBps} basis points`,
    `Developer fee: ${t.developerFeeBps} basis points`,
    `Developer wallet: ${t.developerWallet}`,
    ...t.creatorSplits.map((one) => `Creator split: ${one.partBps} basis points to ${one.wallet}`),
    ...(t.rewardBasis === '' ? [] : [`Reward basis: ${t.rewardBasis}`]),
    ...(BigInt(t.minimumHoldersBps) === 0n
      ? []
      : [`Minimum for holders: ${t.minimumHoldersBps} basis points`]),
    ...(t.changeDelay === '' ? [] : [`Change delay: ${t.changeDelay}`]),
    `Enabled: ${t.enabled ? 'yes' : 'no'}`,
  ].join('\n');

const points = (percent: number): number => Math.round(percent * 100);

/** The text of a version of a token's settings; see OrderText in pkg/token/terms. */
export const orderText = (mint: string, version: number, settings: Ordered): string =>
  written(mint, version, {
    interval: settings.distributionInterval,
    rewardToken: settings.rewardToken,
    minimumHolding: settings.minimumHoldingRequirement,
    sellBps: points(settings.percentageToSellPerDistribution),
    burnBps: points(settings.burnPercent),
    developerFeeBps: points(settings.developerFeePercent),
    developerWallet: settings.developerWallet,
    creatorSplits: (settings.creatorSplits ?? []).map(({ wallet, percent }) => ({
      wallet,
      partBps: points(percent),
    })),
    rewardBasis: settings.rewardBasis === 'snapshot' ? '' : (settings.rewardBasis ?? ''),
    minimumHoldersBps: points(settings.minimumHoldersPercent ?? 0),
    changeDelay: settings.changeDelay === 'none' ? '' : (settings.changeDelay ?? ''),
    enabled: settings.distributionEnabled,
  });

/** The text of a proof's settings. They are enabled, for a run was made with them. */
export const textOfManifest = (m: Manifest): string =>
  written(m.mint, m.settings.version, { ...m.settings, enabled: true });

/** The hash of a version's text, in hex. */
export const hashOfSettings = (mint: string, s: Settings): string =>
  hex(sha256(bytesOf(written(mint, s.version, { ...s, enabled: true }))));

/** The hash of the settings' text, in hex: the anchor has it. */
export const orderHash = (m: Manifest): string => hashOfSettings(m.mint, m.settings);

/** Throws unless the creator signed the settings. */
export function checkOrder(m: Manifest): void {
  const signature = unbase58(m.settings.order, 64);
  if (!signature || !isSignedText(signature, textOfManifest(m), address(m.creator)))
    throw new Fault(
      `version ${m.settings.version} of ${m.mint}: the signature is not the creator's over these settings`,
    );
}
