import { amount, assetOf } from '../token/asset';
import { Pairs } from '../token/parts';
import type { Holding } from './row';

/** The sums of an asset over tokens. */
export interface Sum {
  readonly asset: string;
  readonly received: bigint;
  readonly owed: bigint;
}

/** Returns the sums by asset, the assets of the first tokens first. */
export function sums(tokens: readonly Holding[]): Sum[] {
  const byAsset = new Map<string, Sum>();
  for (const one of tokens.flatMap((t) => [t, ...t.arrears])) {
    const was = byAsset.get(one.asset) ?? { asset: one.asset, received: 0n, owed: 0n };
    byAsset.set(one.asset, {
      asset: one.asset,
      received: was.received + BigInt(one.received),
      owed: was.owed + BigInt(one.owed),
    });
  }
  return [...byAsset.values()].filter((s) => s.received > 0n || s.owed > 0n);
}

/** The sums of the listed tokens, by asset. Assets with unknown decimals are on the tokens' cards. */
export function Totals(props: { tokens: readonly Holding[] }) {
  const rows = sums(props.tokens).flatMap((sum) => {
    const own = props.tokens.find((t) => t.mint === sum.asset);
    const asset = assetOf(sum.asset, {
      mintAddress: own?.mint ?? '',
      symbol: own?.symbol ?? '',
      decimals: own?.decimals ?? 9,
    });
    if (asset.decimals === null) return [];
    const owed = sum.owed > 0n ? `, and ${amount(asset, sum.owed)} still owed` : '';
    return [[`Received in ${asset.name}`, `${amount(asset, sum.received)}${owed}`] as const];
  });
  return rows.length > 0 ? (
    <div class="card totals">
      <Pairs rows={rows} />
    </div>
  ) : null;
}
