import { signal } from '@preact/signals';
import { SolanaSignTransaction } from '@solana/wallet-standard-features';
import { getWallets } from '@wallet-standard/app';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import {
  StandardConnect,
  type StandardConnectFeature,
  StandardDisconnect,
  type StandardDisconnectFeature,
  StandardEvents,
  type StandardEventsFeature,
} from '@wallet-standard/features';
import { type Signer, walletSigner } from 'tokenlaunch/sign';
import { config } from '../config';

/** A wallet with the account of it that the page may use. */
export interface Connected {
  readonly wallet: Wallet;
  readonly account: WalletAccount;
}

/** The Solana wallets that are in this browser. More may turn up while the page is open. */
export const wallets = signal<readonly Wallet[]>([]);

let watching = false;

/** Begins to look for wallets; once is enough. */
export function findWallets(): void {
  if (watching) return;
  watching = true;
  const known = getWallets();
  const read = () => {
    wallets.value = known.get().filter((w) => w.chains.some(isSolana));
  };
  known.on('register', read);
  known.on('unregister', read);
  read();
  if (config.burner) void import('./burner').then((burner) => burner.register());
}

const isSolana = (chain: string): boolean => chain.startsWith('solana:');

/**
 * Why a wallet cannot be used here, or null. It must sign without sending: a launch needs the
 * service's signatures after yours, and what you send yourself is kept before it goes out. A wallet
 * that signs no texts, as those on hardware, signs in by a transaction.
 */
export function unusable(wallet: Wallet): string | null {
  if (!(StandardConnect in wallet.features)) return 'It does not let pages connect.';
  return SolanaSignTransaction in wallet.features ? null : 'It cannot sign a transaction without sending it.';
}

/** Connects a wallet. Silent asks for nothing, and gives null when the wallet would have to ask. */
export async function connectWallet(wallet: Wallet, silent: boolean): Promise<Connected | null> {
  const feature = wallet.features[StandardConnect] as
    | StandardConnectFeature[typeof StandardConnect]
    | undefined;
  if (!feature) throw new Error(`${wallet.name} does not let pages connect.`);
  const { accounts } = await feature.connect(silent ? { silent: true } : undefined);
  const account = [...accounts, ...wallet.accounts].find((a) => a.chains.some(isSolana));
  if (account) return { wallet, account };
  if (silent) return null;
  throw new Error(`${wallet.name} gave no account of Solana.`);
}

/** Tells the wallet that the page is done with it, if it cares. */
export async function disconnectWallet(wallet: Wallet): Promise<void> {
  const feature = wallet.features[StandardDisconnect] as
    | StandardDisconnectFeature[typeof StandardDisconnect]
    | undefined;
  await feature?.disconnect();
}

/** Calls back when the accounts of a wallet change. Returns how to stop that. */
export function onChange(wallet: Wallet, call: () => void): () => void {
  const feature = wallet.features[StandardEvents] as StandardEventsFeature[typeof StandardEvents] | undefined;
  return feature?.on('change', (changed) => changed.accounts && call()) ?? (() => {});
}

/** The account as what signs. */
export const signerOf = ({ wallet, account }: Connected): Signer =>
  walletSigner(wallet, account, `solana:${config.network}`);
