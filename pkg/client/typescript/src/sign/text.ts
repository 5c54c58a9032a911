/** Texts by wallets of the wallet standard, in whatever form each signs them. */
import { base58 } from '@scure/base';
import { join, same, textOf } from '../proof/bytes.js';
import { signable } from '../proof/signed.js';
import type { StandardAccount, StandardWallet } from './signer.js';

/** What shows that a wallet agreed to a text: a signature, or a transaction with the text as its memo. */
export type Agreement = { readonly signature: Uint8Array } | { readonly signedTransaction: Uint8Array };

/** One way to have a text signed: a feature that a wallet may have, and its call. */
type Form<T> = readonly [feature: string, sign: (feature: never) => Promise<T>];

type Call<I, O> = (
  ...inputs: readonly (I & { readonly account: StandardAccount })[]
) => Promise<readonly O[]>;

/**
 * Has a text signed: as it is, else as an off-chain message of version 1. What, according to the wallet, it
 * signed must be the text in a form that the service and the verifiers take.
 */
export const signTextBy = (
  wallet: StandardWallet,
  account: StandardAccount,
  text: Uint8Array,
): Promise<Uint8Array> => first(wallet, messageForms(wallet, account, text));

/**
 * Has a sign-in message signed: as a text, else by `solana:signIn`, else as the memo of a transaction
 * that can never land, for wallets that sign only transactions.
 */
export function agreeBy(
  wallet: StandardWallet,
  account: StandardAccount,
  text: Uint8Array,
  chain?: string,
): Promise<Agreement> {
  const signed = async (signature: Promise<Uint8Array>) => ({ signature: await signature });
  return first<Agreement>(wallet, [
    ...messageForms(wallet, account, text).map(
      ([name, sign]): Form<Agreement> => [name, (feature) => signed(sign(feature))],
    ),
    [
      'solana:signIn',
      async ({ version, signIn }: SignInFeature) => {
        const offchain = /^1\.[1-9]/.test(version) ? { useOffchainMessage: { messageVersion: 1 } } : {};
        const [out] = await signIn({ ...signInInput(textOf(text)), ...offchain });
        if (out?.account.address !== account.address) throw new Error('it signed in another account');
        return { signature: exact(account, text, out.signedMessage, out.signature) };
      },
    ],
    [
      'solana:signTransaction',
      async ({ signTransaction }: TransactionFeature) => {
        const transaction = memoTransaction(account.address, text);
        const [out] = await signTransaction({ account, transaction, ...named(account, chain) });
        if (!out) throw new Error('it gave no signed transaction');
        return { signedTransaction: out.signedTransaction };
      },
    ],
  ]);
}

/** The chain as a wallet is told it: where the account has it. */
export const named = (account: StandardAccount, chain?: string): { readonly chain?: string } =>
  chain !== undefined && account.chains.includes(chain) ? { chain } : {};

interface MessageFeature {
  readonly signMessage: Call<
    { readonly message: Uint8Array },
    { readonly signedMessage: Uint8Array; readonly signature: Uint8Array }
  >;
}

interface OffchainFeature {
  readonly supportedMessageVersions: readonly number[];
  readonly signOffchainMessage: Call<
    { readonly messageVersion: 1; readonly message: string; readonly requiredSigners: readonly Uint8Array[] },
    { readonly signedOffchainMessage: Uint8Array; readonly signature: Uint8Array }
  >;
}

interface SignInFeature {
  readonly version: string;
  readonly signIn: (input: object) => Promise<
    readonly {
      readonly account: { readonly address: string };
      readonly signedMessage: Uint8Array;
      readonly signature: Uint8Array;
    }[]
  >;
}

interface TransactionFeature {
  readonly signTransaction: Call<
    { readonly transaction: Uint8Array; readonly chain?: string },
    { readonly signedTransaction: Uint8Array }
  >;
}

function messageForms(
  wallet: StandardWallet,
  account: StandardAccount,
  text: Uint8Array,
): readonly Form<Uint8Array>[] {
  return [
    [
      'solana:signMessage',
      async ({ signMessage }: MessageFeature) => {
        const [out] = await signMessage({ account, message: text });
        if (!out) throw new Error(`${wallet.name} gave no signature.`);
        return exact(account, text, out.signedMessage, out.signature);
      },
    ],
    [
      'solana:signOffchainMessage',
      async ({ supportedMessageVersions, signOffchainMessage }: OffchainFeature) => {
        if (!supportedMessageVersions.includes(1)) throw new Error('it has no version 1');
        const requiredSigners = [base58.decode(account.address)];
        const input = { messageVersion: 1, message: textOf(text), requiredSigners } as const;
        const [out] = await signOffchainMessage({ account, ...input });
        if (!out) throw new Error('it gave no signature');
        return exact(account, text, out.signedOffchainMessage, out.signature);
      },
    ],
  ];
}

/** The signature, unless what was signed is not the text in a form that is taken. */
function exact(account: StandardAccount, text: Uint8Array, message: Uint8Array, signature: Uint8Array) {
  if (!signable(textOf(text), base58.decode(account.address)).some((form) => same(form, message)))
    throw new Error('it signed another text than it was given');
  return signature;
}

/** Whether the wallet's owner said no, rather than the wallet that it cannot. */
const isRefusal = (cause: unknown): boolean =>
  (cause as { code?: unknown } | null)?.code === 4001 ||
  /reject|denied|declined|cancel/i.test(cause instanceof Error ? cause.message : String(cause));

/** The first form that the wallet has and that works. What its owner rejects is not asked in another form. */
async function first<T>(wallet: StandardWallet, forms: readonly Form<T>[]): Promise<T> {
  const failed: string[] = [];
  for (const [name, sign] of forms) {
    const feature = wallet.features[name];
    if (!feature) {
      failed.push(`${name} is missing`);
      continue;
    }
    try {
      return await sign(feature as never);
    } catch (cause) {
      if (isRefusal(cause)) throw cause;
      failed.push(`${name}: ${cause instanceof Error ? cause.message : cause}`);
    }
  }
  throw new Error(`${wallet.name} signed the text in no form. ${failed.join('; ')}. Try another wallet.`);
}

/** What `solana:signIn` makes the sign-in message of: its fields, all of which the service writes. */
function signInInput(text: string): Readonly<Record<string, string | undefined>> {
  const [head = '', address, , statement, , ...fields] = text.split('\n');
  const [domain] = head.split(' wants you ');
  const field = Object.fromEntries(fields.map((line) => line.split(/: (.*)/s).slice(0, 2)));
  return {
    ...{ domain, address, statement, uri: field.URI, version: field.Version, chainId: field['Chain ID'] },
    ...{ nonce: field.Nonce, issuedAt: field['Issued At'], expirationTime: field['Expiration Time'] },
  };
}

const MEMO = base58.decode('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

/** An unsigned transaction with a memo. Its blockhash is zeros, which no block has: it can never land. */
function memoTransaction(wallet: string, text: Uint8Array): Uint8Array {
  const length = [(text.length & 0x7f) | (text.length > 0x7f ? 0x80 : 0), text.length >> 7];
  return join(
    Uint8Array.of(1, ...new Uint8Array(64)),
    // One signer, who pays, and one other account, which is the program.
    Uint8Array.of(1, 0, 1, 2),
    base58.decode(wallet),
    MEMO,
    new Uint8Array(32),
    Uint8Array.of(1, 1, 0, ...length.slice(0, text.length > 0x7f ? 2 : 1)),
    text,
  );
}
