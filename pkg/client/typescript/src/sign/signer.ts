/** Wallets, whatever they are: a wallet of the wallet standard, a signer of @solana/kit, a key in memory. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { same } from '../proof/bytes.js';
import { parse } from './message.js';
import { type Agreement, agreeBy, named, signTextBy } from './text.js';

/** A wallet that signs. An error is passed on. */
export interface Signer {
  /** Its address. */
  readonly address: string;
  /** Signs a text, which it may show. */
  signText(text: Uint8Array): Promise<Uint8Array>;
  /** Signs a sign-in message in whatever form the wallet has; without it, `signText` signs it. */
  agree?(text: Uint8Array): Promise<Agreement>;
  /** Returns a transaction with its signature, without sending it. */
  signTransaction(transaction: Uint8Array): Promise<Uint8Array>;
}

const SEED = 32;
/** What PKCS #8 has before the seed of an Ed25519 key. */
const PKCS8 = Uint8Array.of(48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32);

/**
 * A key in memory: its 32 or 64 bytes, or their text: in base58, as Phantom exports a key, as
 * solana-keygen writes a key file (a JSON array of 64 numbers), or in PEM (PKCS #8). Errors tell nothing
 * of the key.
 */
export function keySigner(key: Uint8Array | string): Signer {
  const bytes = typeof key === 'string' ? keyIn(key) : key;
  if (bytes.length !== SEED && bytes.length !== 2 * SEED)
    throw new Error(`An Ed25519 key has 32 or 64 bytes, this one ${bytes.length}.`);
  const seed = bytes.slice(0, SEED);
  const publicKey = ed25519.getPublicKey(seed);
  if (bytes.length > SEED && !same(bytes.slice(SEED), publicKey))
    throw new Error('The two halves of the key are not of one key.');
  const address = base58.encode(publicKey);
  return {
    address,
    signText: async (text) => ed25519.sign(text, seed),
    signTransaction: async (bytes) => place(bytes, address, ed25519.sign(parse(bytes).message, seed)),
  };
}

function keyIn(text: string): Uint8Array {
  const [, pem] = /-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----/.exec(text) ?? [];
  try {
    if (/^\s*[1-9A-HJ-NP-Za-km-z]+\s*$/.test(text)) {
      const bytes = base58.decode(text.trim());
      // 32 bytes would be an address as well, which is no key.
      if (bytes.length === 2 * SEED) return bytes;
    } else if (pem === undefined) {
      const numbers = JSON.parse(text) as number[];
      if (numbers.every((n) => Number.isInteger(n) && n >= 0 && n < 256)) return Uint8Array.from(numbers);
    } else {
      const bytes = Uint8Array.from(atob(pem.replace(/\s/g, '')), (c) => c.charCodeAt(0));
      if (bytes.length === PKCS8.length + SEED && same(bytes.subarray(0, PKCS8.length), PKCS8))
        return bytes.slice(PKCS8.length);
    }
  } catch {
    // It says nothing of what it could not read.
  }
  throw new Error(
    'The text is no key: neither 64 bytes in base58, nor a JSON array of 64 numbers (solana-keygen), nor PEM.',
  );
}

/** Puts a signature in its place. */
function place(transaction: Uint8Array, address: string, signature: Uint8Array | undefined): Uint8Array {
  const { signers, message } = parse(transaction);
  const at = signers.indexOf(address);
  if (at < 0) throw new Error(`The transaction is not for ${address} to sign.`);
  if (signature?.length !== 64) throw new Error(`The wallet ${address} gave no signature.`);
  const signed = new Uint8Array(transaction);
  signed.set(signature, transaction.length - message.length - 64 * (signers.length - at));
  return signed;
}

type Signatures = Readonly<Record<string, Uint8Array>>;

/**
 * What of a signer of @solana/kit is needed: such as `createKeyPairSignerFromBytes` makes. What it is
 * given has types of that package alone, which is not needed otherwise.
 */
export interface KitSigner {
  readonly address: string;
  signMessages(messages: readonly never[]): Promise<readonly Signatures[]>;
  signTransactions(transactions: readonly never[]): Promise<readonly Signatures[]>;
}

/** A signer of @solana/kit that signs messages and transactions (`MessagePartialSigner`, `TransactionPartialSigner`). */
export function kitSigner(signer: KitSigner): Signer {
  const { address } = signer;
  return {
    address,
    signText: async (text) => {
      const [signatures] = await signer.signMessages([{ content: text, signatures: {} } as never]);
      const signature = signatures?.[address];
      if (!signature) throw new Error(`The wallet ${address} gave no signature.`);
      return signature;
    },
    signTransaction: async (bytes) => {
      const { message, signers } = parse(bytes);
      const none = Object.fromEntries(signers.map((key) => [key, null]));
      const transaction = { messageBytes: message, signatures: none };
      const [signatures] = await signer.signTransactions([transaction as never]);
      return place(bytes, address, signatures?.[address]);
    },
  };
}

/** What of a wallet of the wallet standard is needed. */
export interface StandardWallet {
  readonly name: string;
  readonly features: Readonly<Record<string, unknown>>;
}

/** An account that such a wallet has given to its page. */
export interface StandardAccount {
  readonly address: string;
  readonly chains: readonly string[];
}

type Call<I, O> = (
  ...inputs: readonly (I & { readonly account: StandardAccount })[]
) => Promise<readonly O[]>;

/** A connected wallet of the wallet standard. `chain`, such as "solana:mainnet", is named to it where it has it. */
export function walletSigner(wallet: StandardWallet, account: StandardAccount, chain?: string): Signer {
  const feature = <F>(name: string): F => {
    const found = wallet.features[name];
    if (!found) throw new Error(`${wallet.name} has no ${name}.`);
    return found as F;
  };
  return {
    address: account.address,
    signText: (text) => signTextBy(wallet, account, text),
    agree: (text) => agreeBy(wallet, account, text, chain),
    signTransaction: async (transaction) => {
      const { signTransaction } = feature<{
        signTransaction: Call<
          { readonly transaction: Uint8Array; readonly chain?: string },
          { readonly signedTransaction: Uint8Array }
        >;
      }>('solana:signTransaction');
      const [out] = await signTransaction({ account, transaction, ...named(account, chain) });
      if (!out) throw new Error(`${wallet.name} gave no signed transaction.`);
      return out.signedTransaction;
    },
  };
}
