import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Wallet } from '@wallet-standard/base';
import { signIn as signInBy } from 'tokenlaunch/api';
import { api } from '../api/client';
import { config } from '../config';
import { local, tab } from '../ui/storage';
import { noteDate } from './clock';
import * as standard from './standard';

/** A signed-in wallet. */
export interface Session {
  /** Address of the wallet. */
  readonly wallet: string;
  /** The access token for `bearer`. */
  readonly token: string;
  /** The expiry of the access token, from the API. */
  readonly expiresAt: string;
  /** Requests the wallet's signature of a transaction, which is not sent. */
  readonly sign: (transaction: Uint8Array) => Promise<Uint8Array>;
  /** Requests the wallet's signature of a text, which the wallet shows. */
  readonly signText: (text: string) => Promise<Uint8Array>;
}

type Kept = Pick<Session, 'wallet' | 'token' | 'expiresAt'>;

/** The access token lives as long as the browser's tab; the wallet's name is stored longer. */
const TOKEN = 'session';
const LAST = 'wallet';

const kept = signal<Kept | null>(read());

/** The connected wallet, signed in or not. */
export const connected = signal<standard.Connected | null>(null);

/**
 * The signed-in wallet, or null. The session is available immediately after a navigation, while the
 * wallet reconnects.
 */
export const session: ReadonlySignal<Session | null> = computed(() =>
  kept.value ? { ...kept.value, sign, signText } : null,
);

function read(): Kept | null {
  try {
    const value = JSON.parse(tab.get(TOKEN) ?? 'null') as Kept | null;
    return value && Date.parse(value.expiresAt) > Date.now() ? value : null;
  } catch {
    return null;
  }
}

let expiry: ReturnType<typeof setTimeout> | undefined;

function keep(value: Kept | null): void {
  kept.value = value;
  if (value) tab.set(TOKEN, JSON.stringify(value));
  else tab.remove(TOKEN);
  clearTimeout(expiry);
  if (value) {
    // A timer takes at most 24 days, so a longer time is checked again.
    const left = Math.min(Date.parse(value.expiresAt) - Date.now(), 86_400_000);
    expiry = setTimeout(() => keep(Date.parse(value.expiresAt) > Date.now() ? value : null), left);
  }
}

// After a 401 response of any call, no call succeeds with this access token.
api.use({
  onResponse({ request, response }) {
    noteDate(response.headers.get('Date'));
    const used = request.headers.get('Authorization');
    if (response.status === 401 && kept.value && used === `Bearer ${kept.value.token}`) keep(null);
  },
});

let begun = false;

/** Looks for wallets and reconnects the last wallet without asking. Further calls have no effect. */
export function begin(): void {
  if (begun) return;
  begun = true;
  keep(kept.value);
  const last = local.get(LAST);
  if (last) {
    const stop = standard.wallets.subscribe((list) => {
      const wallet = list.find((w) => w.name === last);
      if (!wallet || connected.value) return;
      queueMicrotask(() => stop());
      void standard.connectWallet(wallet, true).then(
        (got) => got && !connected.value && use(got),
        () => {}, // it is asked again, aloud, when it is needed
      );
    });
  }
  standard.findWallets();
}

let forget: () => void = () => {};

function use(got: standard.Connected): void {
  forget();
  connected.value = got;
  local.set(LAST, got.wallet.name);
  // An access token belongs to one wallet.
  if (kept.value && kept.value.wallet !== got.account.address) keep(null);
  forget = standard.onChange(got.wallet, () => {
    const account = got.wallet.accounts.find((a) => a.chains.some((c) => c.startsWith('solana:')));
    if (account?.address === got.account.address) return;
    if (account) use({ wallet: got.wallet, account });
    else void disconnect();
  });
}

/** Connects a chosen wallet. */
export async function connect(wallet: Wallet): Promise<void> {
  const got = await standard.connectWallet(wallet, false);
  if (got) use(got);
}

/** Signs in the connected wallet: the wallet signs the API's text in exchange for an access token. */
export async function signIn(): Promise<void> {
  const at = connected.value;
  if (!at) throw new Error('Connect a wallet first.');
  keep(await signInBy(api, standard.signerOf(at), [location.host, new URL(config.apiUrl).host]));
}

/** Signs out: the access token is deleted, but the wallet stays connected. */
export function signOut(): void {
  keep(null);
}

/** Signs out and disconnects the wallet. */
export async function disconnect(): Promise<void> {
  const at = connected.value;
  keep(null);
  forget();
  connected.value = null;
  local.remove(LAST);
  if (at) await standard.disconnectWallet(at.wallet).catch(() => {});
}

const sign = async (transaction: Uint8Array): Promise<Uint8Array> =>
  standard.signerOf(await signer()).signTransaction(transaction);

const signText = async (text: string): Promise<Uint8Array> =>
  standard.signerOf(await signer()).signText(new TextEncoder().encode(text));

/** Returns the signed-in wallet, connected again if necessary. */
async function signer(): Promise<standard.Connected> {
  const wanted = kept.value?.wallet;
  if (!connected.value) {
    const last = standard.wallets.value.find((w) => w.name === local.get(LAST));
    if (!last) throw new Error('The wallet is not there any more. Connect it again.');
    await connect(last);
  }
  const at = connected.value;
  if (!at || at.account.address !== wanted)
    throw new Error('Another wallet is connected than the one that signed in. Sign in again.');
  return at;
}
