import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Wallet } from '@wallet-standard/base';
import { signIn as signInBy } from 'tokenlaunch/api';
import { api } from '../api/client';
import { config } from '../config';
import { noteDate } from './clock';
import * as standard from './standard';

/** A wallet that has signed in. */
export interface Session {
  /** Address of the wallet. */
  readonly wallet: string;
  /** The token for `bearer`. */
  readonly token: string;
  /** When the token runs out, as the API said. */
  readonly expiresAt: string;
  /** Asks the wallet to sign a transaction; it is not sent. */
  readonly sign: (transaction: Uint8Array) => Promise<Uint8Array>;
  /** Asks the wallet to sign a text, which it shows. */
  readonly signText: (text: string) => Promise<Uint8Array>;
}

type Kept = Pick<Session, 'wallet' | 'token' | 'expiresAt'>;

/** The token lives as long as the browser's tab; which wallet it was is remembered for longer. */
const TOKEN = 'session';
const LAST = 'wallet';

const kept = signal<Kept | null>(read());

/** The wallet that is connected, whether or not it has signed in. */
export const connected = signal<standard.Connected | null>(null);

/** The signed-in wallet, or null. It is there at once after a navigation; the wallet reconnects beside. */
export const session: ReadonlySignal<Session | null> = computed(() =>
  kept.value ? { ...kept.value, sign, signText } : null,
);

function read(): Kept | null {
  try {
    const value = JSON.parse(sessionStorage.getItem(TOKEN) ?? 'null') as Kept | null;
    return value && Date.parse(value.expiresAt) > Date.now() ? value : null;
  } catch {
    return null;
  }
}

let expiry: ReturnType<typeof setTimeout> | undefined;

function keep(value: Kept | null): void {
  kept.value = value;
  if (value) sessionStorage.setItem(TOKEN, JSON.stringify(value));
  else sessionStorage.removeItem(TOKEN);
  clearTimeout(expiry);
  if (value) {
    // A timer takes 24 days at most; what is longer is looked at again.
    const left = Math.min(Date.parse(value.expiresAt) - Date.now(), 86_400_000);
    expiry = setTimeout(() => keep(Date.parse(value.expiresAt) > Date.now() ? value : null), left);
  }
}

// Whatever call it was that the API refused: with this token none will go through.
api.use({
  onResponse({ request, response }) {
    noteDate(response.headers.get('Date'));
    const used = request.headers.get('Authorization');
    if (response.status === 401 && kept.value && used === `Bearer ${kept.value.token}`) keep(null);
  },
});

let begun = false;

/** Looks for wallets and reconnects the last one without asking. Once is enough. */
export function begin(): void {
  if (begun) return;
  begun = true;
  keep(kept.value);
  const last = localStorage.getItem(LAST);
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
  localStorage.setItem(LAST, got.wallet.name);
  // A token is good for one wallet only.
  if (kept.value && kept.value.wallet !== got.account.address) keep(null);
  forget = standard.onChange(got.wallet, () => {
    const account = got.wallet.accounts.find((a) => a.chains.some((c) => c.startsWith('solana:')));
    if (account?.address === got.account.address) return;
    if (account) use({ wallet: got.wallet, account });
    else void disconnect();
  });
}

/** Connects a wallet that was chosen. */
export async function connect(wallet: Wallet): Promise<void> {
  const got = await standard.connectWallet(wallet, false);
  if (got) use(got);
}

/** Signs the connected wallet in: the API's text, signed, for a token. */
export async function signIn(): Promise<void> {
  const at = connected.value;
  if (!at) throw new Error('Connect a wallet first.');
  keep(await signInBy(api, standard.signerOf(at), [location.host, new URL(config.apiUrl).host]));
}

/** Signs out: the token is forgotten, and the wallet stays connected. */
export function signOut(): void {
  keep(null);
}

/** Signs out and lets the wallet go. */
export async function disconnect(): Promise<void> {
  const at = connected.value;
  keep(null);
  forget();
  connected.value = null;
  localStorage.removeItem(LAST);
  if (at) await standard.disconnectWallet(at.wallet).catch(() => {});
}

const sign = async (transaction: Uint8Array): Promise<Uint8Array> =>
  standard.signerOf(await signer()).signTransaction(transaction);

const signText = async (text: string): Promise<Uint8Array> =>
  standard.signerOf(await signer()).signText(new TextEncoder().encode(text));

/** The wallet that signed in, connected again where it must be. */
async function signer(): Promise<standard.Connected> {
  const wanted = kept.value?.wallet;
  if (!connected.value) {
    const last = standard.wallets.value.find((w) => w.name === localStorage.getItem(LAST));
    if (!last) throw new Error('The wallet is not there any more. Connect it again.');
    await connect(last);
  }
  const at = connected.value;
  if (!at || at.account.address !== wanted)
    throw new Error('Another wallet is connected than the one that signed in. Sign in again.');
  return at;
}
