import { base58, base64 } from '@scure/base';
import {
  SolanaSignMessage,
  type SolanaSignMessageInput,
  SolanaSignTransaction,
  type SolanaSignTransactionInput,
} from '@solana/wallet-standard-features';
import type { Wallet, WalletAccount, WalletIcon } from '@wallet-standard/base';
import { StandardConnect, type StandardConnectInput, StandardDisconnect } from '@wallet-standard/features';
import { registerWallet } from '@wallet-standard/wallet';
import { parse } from 'tokenlaunch/sign';
import { local } from '../ui/storage';
import { confirm } from './burner-dialog';

/*
 * A wallet that this browser makes for itself, for the local stack only: its key lies unprotected
 * in localStorage. It behaves as a real wallet does: it asks before it connects and before it signs.
 */

const KEY = 'burner';
const ALLOWED = 'burner-allowed';
const CHAINS = ['solana:localnet', 'solana:devnet', 'solana:mainnet'] as const;
const FEATURES = [StandardConnect, StandardDisconnect, SolanaSignMessage, SolanaSignTransaction] as const;

const icon = `data:image/svg+xml;base64,${base64.encode(
  new TextEncoder().encode(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#e8710a" d="M12 2c1 4 6 6 6 12a6 6 0 0 1-12 0c0-3 2-4 2-7 2 1 3 2 3 4 1-2 2-5 1-9z"/></svg>',
  ),
)}` as WalletIcon;

interface Pair {
  readonly key: CryptoKey;
  readonly account: WalletAccount;
}

let pair: Promise<Pair> | null = null;

/** Returns the key of this browser, or creates the key. */
async function load(): Promise<Pair> {
  const stored = local.get(KEY);
  let jwk: JsonWebKey;
  if (stored) jwk = JSON.parse(stored) as JsonWebKey;
  else {
    const made = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
    jwk = await crypto.subtle.exportKey('jwk', made.privateKey);
    local.set(KEY, JSON.stringify(jwk));
  }
  const key = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['sign']);
  const x = (jwk.x ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const publicKey = base64.decode(x.padEnd(Math.ceil(x.length / 4) * 4, '='));
  const account: WalletAccount = {
    address: base58.encode(publicKey),
    publicKey,
    chains: CHAINS,
    features: FEATURES,
  };
  return { key, account };
}

const keys = (): Promise<Pair> => {
  pair ??= load();
  return pair;
};

async function signBytes(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign('Ed25519', (await keys()).key, new Uint8Array(bytes)));
}

async function connect(input?: StandardConnectInput): Promise<{ accounts: readonly WalletAccount[] }> {
  if (!local.get(ALLOWED)) {
    if (input?.silent) return { accounts: [] };
    await confirm(
      'Connect this page?',
      `The page ${location.host} wants to see the address of your wallet.`,
      'Connect',
    );
    local.set(ALLOWED, 'yes');
  }
  return { accounts: [(await keys()).account] };
}

async function signMessage(...inputs: readonly SolanaSignMessageInput[]) {
  const out = [];
  for (const { message } of inputs) {
    await confirm('Sign this text?', new TextDecoder().decode(message), 'Sign');
    out.push({ signedMessage: message, signature: await signBytes(message) });
  }
  return out;
}

async function signTransaction(...inputs: readonly SolanaSignTransactionInput[]) {
  const out = [];
  for (const { transaction } of inputs) {
    const read = parse(transaction);
    const { account } = await keys();
    const place = read.signers.indexOf(account.address);
    if (place < 0) throw new Error('This transaction is not for this wallet to sign.');
    const calls = [...new Set(read.instructions.map((i) => i.program))];
    await confirm(
      'Sign this transaction?',
      `${read.instructions.length} instructions, paid for by ${read.signers[0]}.\nThey call these programs:\n${calls.join('\n')}`,
      'Sign',
    );
    const signedTransaction = new Uint8Array(transaction);
    // The signatures come before the message, 64 bytes each.
    const start = transaction.length - read.message.length - 64 * read.signers.length;
    signedTransaction.set(await signBytes(read.message), start + 64 * place);
    out.push({ signedTransaction });
  }
  return out;
}

/** Registers the wallet with the page. */
export function register(): void {
  const wallet: Wallet = {
    version: '1.0.0',
    name: 'Demo wallet',
    icon,
    chains: CHAINS,
    accounts: [],
    features: {
      [StandardConnect]: { version: '1.0.0', connect },
      [StandardDisconnect]: {
        version: '1.0.0',
        disconnect: async () => local.remove(ALLOWED),
      },
      [SolanaSignMessage]: { version: '1.1.0', signMessage },
      [SolanaSignTransaction]: {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy'],
        signTransaction,
      },
    },
  };
  registerWallet(wallet);
}
