import { basisPoints, percent } from '../../ui/percent';
import { node } from '../../wallet/node';
import { collectors, type Fact, type Handover, type Record } from './facts';

/** A mint in a node's description ("jsonParsed"), with the fields that the page reads. */
export interface Mint {
  readonly mintAuthority: string | null;
  readonly freezeAuthority: string | null;
  readonly extensions?: readonly { readonly extension: string; readonly state?: unknown }[];
}

interface Fee {
  readonly epoch: number;
  readonly transferFeeBasisPoints: number;
}
interface FeeConfig {
  readonly transferFeeConfigAuthority: string | null;
  readonly withdrawWithheldAuthority: string | null;
  readonly olderTransferFee: Fee;
  readonly newerTransferFee: Fee;
}
interface Metadata {
  readonly updateAuthority: string | null;
}

/** The chain's result for a fact. */
export interface Check {
  readonly key: Fact['key'];
  /** Whether the chain agrees with the record. */
  readonly agrees: boolean;
  readonly says: string;
}

const named = (authority: string | null): string => (authority === null ? 'no one' : authority);

const stateOf = <T>(mint: Mint, name: string): T | undefined =>
  mint.extensions?.find((e) => e.extension === name)?.state as T | undefined;

/** Compares the record and the hand-over of its tax with a mint. */
export function compare(token: Record, handover: Handover, mint: Mint, epoch: number): readonly Check[] {
  const fee = stateOf<FeeConfig>(mint, 'transferFeeConfig');
  const metadata = stateOf<Metadata>(mint, 'tokenMetadata');
  const a = token.authorities;
  const one = (
    key: Fact['key'],
    found: string | null | undefined,
    ...wanted: readonly (string | null)[]
  ): Check => ({
    key,
    agrees: found !== undefined && wanted.includes(found),
    says: found === undefined ? 'The chain does not say.' : `The chain says: ${named(found)}.`,
  });
  return [
    one('mint', mint.mintAuthority, a.mint),
    one('freeze', mint.freezeAuthority, a.freeze),
    one('metadata', metadata?.updateAuthority, a.metadataUpdate),
    tax(token, fee, epoch),
    one('collect', fee?.withdrawWithheldAuthority, ...collectors(token, handover)),
  ];
}

/** Returns the fee of an epoch. */
const feeAt = ({ newerTransferFee, olderTransferFee }: FeeConfig, epoch: number): Fee =>
  epoch >= newerTransferFee.epoch ? newerTransferFee : olderTransferFee;

/** Checks the tax: the right to change the tax, the present tax, and the next tax. */
function tax(token: Record, fee: FeeConfig | undefined, epoch: number): Check {
  if (!fee) return { key: 'tax', agrees: false, says: 'The chain has no tax for this token.' };
  const newer = fee.newerTransferFee;
  const now = feeAt(fee, epoch);
  const authority = fee.transferFeeConfigAuthority;
  const coming =
    now === newer ? '' : ` From epoch ${newer.epoch} on it is ${percent(newer.transferFeeBasisPoints)}.`;
  return {
    key: 'tax',
    agrees:
      authority === token.authorities.transferFeeConfig &&
      (authority !== null || newer.transferFeeBasisPoints === basisPoints(token.transferFeePercent)),
    says: `The chain says: ${percent(now.transferFeeBasisPoints)} now, and ${named(authority)} can change it.${coming}`,
  };
}

/** Reads a mint from a node, and the epoch. */
async function read(mintAddress: string): Promise<{ mint: Mint; epoch: number }> {
  const [account, { epoch }] = await Promise.all([
    node<{ value: { data: { parsed?: { info?: Mint } } } | null }>('getAccountInfo', [
      mintAddress,
      { encoding: 'jsonParsed', commitment: 'confirmed' },
    ]),
    node<{ epoch: number }>('getEpochInfo', [{ commitment: 'confirmed' }]),
  ]);
  const mint = account.value?.data.parsed?.info;
  if (!mint) throw new Error('The Solana node knows no such mint.');
  return { mint, epoch };
}

/** Compares the record and the hand-over of its tax with the mint itself. */
export async function check(
  token: Record & { readonly mintAddress: string },
  handover: Handover,
): Promise<readonly Check[]> {
  const { mint, epoch } = await read(token.mintAddress);
  return compare(token, handover, mint, epoch);
}

/** Returns the chain's present tax on a transfer, in percent. */
export async function taxNow(mintAddress: string): Promise<number> {
  const { mint, epoch } = await read(mintAddress);
  const fee = stateOf<FeeConfig>(mint, 'transferFeeConfig');
  return fee ? feeAt(fee, epoch).transferFeeBasisPoints / 100 : 0;
}
