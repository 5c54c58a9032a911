/** The metadata file of a launch, as the service renders it. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesOf } from '../proof/bytes.js';
import { cidOf } from '../proof/files.js';
import { orderText } from '../proof/order.js';
import { reward } from './order.js';

/** What of a launch its metadata file has, as `POST /tokens/create-unsigned` takes it. */
export interface Described {
  readonly name: string;
  readonly symbol: string;
  readonly description?: string | null | undefined;
  readonly imageUri: string;
  readonly twitter?: string | null | undefined;
  readonly telegram?: string | null | undefined;
  readonly website?: string | null | undefined;
  readonly burnPercent?: number | null | undefined;
  readonly developerFeePercent?: number | null | undefined;
  readonly developerWallet?: string | null | undefined;
  readonly creatorSplits?:
    | readonly { readonly wallet: string; readonly percent: number }[]
    | null
    | undefined;
  readonly rewardBasis?: string | null | undefined;
  readonly minimumHoldersPercent?: number | null | undefined;
  readonly changeDelay?: string | null | undefined;
  readonly distributionInterval?: string | null | undefined;
  readonly percentageToSellPerDistribution?: number | null | undefined;
  readonly rewardToken?: string | null | undefined;
  readonly minimumHoldingRequirement?: string | null | undefined;
}

/** How the URL of a token's file begins on the chain and in the file. See content.Gateway in pkg/token. */
const GATEWAY = 'https://ipfs.io/ipfs/';
const SCHEME = 'ipfs://';

/** The version of the settings that a token is launched with. */
const LAUNCHED = 1;

/**
 * The metadata file of a launch by the wallet: the file that the service publishes, byte for byte. The
 * launch names the file by its content id. See Draft.Metadata in pkg/token.
 */
export function metadata(wallet: string, mint: string, c: Described): string {
  const website = completed(c.website) || undefined;
  const { imageUri } = c;
  const picture = GATEWAY + (imageUri.startsWith(SCHEME) ? imageUri.slice(SCHEME.length) : imageUri);
  const file = {
    name: c.name,
    symbol: c.symbol,
    description: c.description ?? '',
    image: picture,
    external_url: website,
    twitter: completed(c.twitter, 'x.com', 'twitter.com', 'www.x.com', 'www.twitter.com') || undefined,
    telegram: completed(c.telegram, 't.me', 'telegram.me') || undefined,
    website,
    properties: {
      category: 'image',
      files: [picture, imageUri].map((uri) => ({ uri, type: 'image/jpeg' })),
      mint,
      distribution: launchedWith(wallet, mint, c),
    },
  };
  // Go escapes the two separators of lines, too.
  return `${JSON.stringify(file)
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')}\n`;
}

/** The address of the metadata file, as the launch has it. */
export const metadataUri = (wallet: string, mint: string, c: Described): string =>
  `${GATEWAY}${cidOf(sha256(bytesOf(metadata(wallet, mint, c))))}`;

/** The text of the settings that the wallet's signature on the launch fixes, with the defaults of what is not said. */
export const launchedWith = (wallet: string, mint: string, c: Described): string =>
  orderText(mint, LAUNCHED, {
    distributionInterval: c.distributionInterval || '1h',
    rewardToken: reward(c.rewardToken || 'SOL'),
    minimumHoldingRequirement: c.minimumHoldingRequirement || '1',
    percentageToSellPerDistribution: c.percentageToSellPerDistribution ?? 100,
    burnPercent: c.burnPercent ?? 0,
    developerFeePercent: c.developerFeePercent ?? 0,
    developerWallet: c.developerWallet || wallet,
    creatorSplits: c.creatorSplits ?? [],
    rewardBasis: c.rewardBasis || 'snapshot',
    minimumHoldersPercent: c.minimumHoldersPercent ?? 0,
    changeDelay: c.changeDelay || 'none',
    distributionEnabled: true,
  });

/** A link in its https form; one of a site without hosts may be a host alone. */
function completed(link: string | null | undefined, ...hosts: readonly string[]): string {
  const value = link ?? '';
  const [site] = hosts;
  if (site === undefined) {
    const [host = ''] = value.split('/', 1);
    const bare = /^([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;
    return !value.includes('://') && bare.test(host) ? `https://${value}` : value;
  }
  if (/^@[A-Za-z0-9_]{1,32}$/.test(value)) return `https://${site}/${value.slice(1)}`;
  const known = hosts.some((host) => value.slice(0, host.length + 1).toLowerCase() === `${host}/`);
  return known ? `https://${value}` : value;
}
