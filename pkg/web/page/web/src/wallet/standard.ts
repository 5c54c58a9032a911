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

/** A wallet with the account that the page may use. */
export interface Connected {
  readonly wallet: Wallet;
  readonly account: WalletAccount;
}

/** The Solana wallets in this browser. More wallets may appear while the page is open. */
export const wallets = signal<readonly Wallet[]>([]);

/** Whether the page has not looked for wallets yet. Only then the absence of a wallet says nothing. */
export const searching = signal(true);

let watching = false;

/** Starts to look for wallets. Further calls have no effect. */
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
  const searched = () => {
    searching.value = false;
  };
  if (config.burner) import('./burner').then((burner) => burner.register()).then(searched, searched);
  else searched();
}

const isSolana = (chain: string): boolean => chain.startsWith('solana:');

/**
 * Returns the reason why a wallet cannot be used here, or null. A wallet must sign without sending,
 * because a launch needs the service's signatures after the creator's, and because the page stores
 * a signed transaction before sending. A wallet that does not sign texts, like a hardware wallet,
 * signs in by a transaction.
 */
export function unusable(wallet: Wallet): string | null {
  if (!(StandardConnect in wallet.features)) return 'It does not let pages connect.';
  return SolanaSignTransaction in wallet.features ? null : 'It cannot sign a transaction without sending it.';
}

/** Connects a wallet. A silent connection asks no question, and returns null if the wallet would have to ask. */
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

/** Disconnects the wallet, if the wallet supports disconnecting. */
export async function disconnectWallet(wallet: Wallet): Promise<void> {
  const feature = wallet.features[StandardDisconnect] as
    | StandardDisconnectFeature[typeof StandardDisconnect]
    | undefined;
  await feature?.disconnect();
}

/** Calls back when the accounts of a wallet change. Returns a function that ends the callbacks. */
export function onChange(wallet: Wallet, call: () => void): () => void {
  const feature = wallet.features[StandardEvents] as StandardEventsFeature[typeof StandardEvents] | undefined;
  return feature?.on('change', (changed) => changed.accounts && call()) ?? (() => {});
}

/** Returns the account as a signer. */
export const signerOf = ({ wallet, account }: Connected): Signer =>
  walletSigner(wallet, account, `solana:${config.network}`);
