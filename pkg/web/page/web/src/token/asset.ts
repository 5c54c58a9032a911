import { useEffect, useState } from 'preact/hooks';
import type { Schemas } from 'tokenlaunch/api';
import { decimal, SOL_DECIMALS, short } from '../ui/amount';

/** The name and format of an asset's amounts. */
export interface Asset {
  /** "SOL" or the address of a mint. */
  readonly id: string;
  readonly name: string;
  /** Null for an unknown number; amounts are then base units. */
  readonly decimals: number | null;
}

/** Well-known reward mints, the same two as in pkg/token/terms. */
const known: Readonly<Record<string, Asset>> = Object.fromEntries(
  [
    { id: 'SOL', name: 'SOL', decimals: SOL_DECIMALS },
    { id: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', name: 'USDC', decimals: 6 },
    { id: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', name: 'USDT', decimals: 6 },
  ].map((a) => [a.id, a]),
);

/** Returns the asset with the given ID, without a call. */
export function assetOf(
  id: string,
  token: Pick<Schemas['Token'], 'mintAddress' | 'symbol' | 'decimals'>,
): Asset {
  if (id === token.mintAddress) return { id, name: token.symbol, decimals: token.decimals };
  return known[id] ?? { id, name: short(id), decimals: null };
}

/** Returns an amount in base units of an asset, with its name. */
export function amount(asset: Asset, units: string | bigint, places?: number): string {
  if (asset.decimals === null) return `${decimal(units, 0)} base units of ${asset.name}`;
  return `${decimal(units, asset.decimals, places ?? asset.decimals)} ${asset.name}`;
}

/** Like amount, without insignificant digits for a table; never rounded to zero. */
export function brief(asset: Asset, units: string | bigint): string {
  if (asset.decimals === null) return amount(asset, units);
  const value = BigInt(units);
  const whole = value / 10n ** BigInt(asset.decimals);
  const first = asset.decimals - value.toString().length + 1;
  const places = whole >= 1000n ? 0 : whole > 0n ? 3 : Math.min(asset.decimals, first + 3);
  return amount(asset, value, places);
}

const asked = new Map<string, Promise<number | null>>();

async function decimalsOf(mint: string): Promise<number | null> {
  // The node's client is fetched only on demand, which is rare.
  const { node } = await import('../wallet/node');
  const supply = await node<{ value?: { decimals?: number } }>('getTokenSupply', [mint]);
  return supply.value?.decimals ?? null;
}

/**
 * Returns the assets with the given IDs. The API does not return the decimals of a reward mint, so
 * the chain is queried.
 */
export function useAssets(
  ids: readonly string[],
  token: Pick<Schemas['Token'], 'mintAddress' | 'symbol' | 'decimals'>,
): (id: string) => Asset {
  const [found, set] = useState<Readonly<Record<string, number>>>({});
  const unknown = [...new Set(ids)].filter((id) => assetOf(id, token).decimals === null).sort();
  useEffect(() => {
    let over = false;
    for (const id of unknown) {
      const call = asked.get(id) ?? decimalsOf(id).catch(() => null);
      asked.set(id, call);
      call.then((decimals) => {
        if (decimals === null) asked.delete(id);
        else if (!over) set((all) => ({ ...all, [id]: decimals }));
      });
    }
    return () => {
      over = true;
    };
  }, [unknown.join()]);
  return (id) => {
    const asset = assetOf(id, token);
    return asset.decimals === null ? { ...asset, decimals: found[id] ?? null } : asset;
  };
}
