import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58, base64 } from '@scure/base';
import {
  compileOffchainMessageEnvelope,
  createKeyPairSignerFromPrivateKeyBytes,
  signOffchainMessageEnvelope,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { bytesOf, unhex } from '../../src/proof/bytes.js';
import { isSignedText } from '../../src/proof/signed.js';
import { keySigner, type StandardWallet, walletSigner } from '../../src/sign/index.js';

interface Vector {
  form: string;
  what: string;
  text: string;
  message: string;
  signature: string;
}

// Made by the libraries of wallets; pkg/platform/auth reads them, too.
const vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../platform/auth/testdata/wallets.json'), 'utf8'),
) as {
  wallet: string;
  seed: string;
  texts: Record<string, string>;
  siws: object;
  signatures: Vector[];
  refused: Vector[];
  transactions: { transaction: string }[];
};
const key = base58.decode(vectors.wallet);
const seed = unhex(vectors.seed, 32) as Uint8Array;
const [challenge, order] = [vectors.texts.challenge as string, vectors.texts.order as string];
const signatureOf = (v: Vector) => unhex(v.signature, 64) as Uint8Array;

describe('a signature of a text', () => {
  it.each(vectors.signatures)('counts as $form of "$text", by $by', (v) => {
    for (const [name, text] of Object.entries(vectors.texts))
      expect(isSignedText(signatureOf(v), text, key), name).toBe(name === v.text);
    expect(isSignedText(signatureOf(v), vectors.texts[v.text] as string, new Uint8Array(32).fill(7))).toBe(
      false,
    );
  });
  it.each(vectors.refused)('does not count: $what', (v) => {
    expect(isSignedText(signatureOf(v), vectors.texts[v.text] as string, key)).toBe(false);
  });
});

const account = { address: vectors.wallet, chains: ['solana:devnet'] };
const text = bytesOf(challenge);

/** Wallets as there are, by the features that each has. */
const features: Record<string, (asked: unknown[]) => object> = {
  'solana:signMessage': () => ({
    signMessage: async ({ message }: { message: Uint8Array }) => [
      { signedMessage: message, signature: ed25519.sign(message, seed) },
    ],
  }),
  'solana:signOffchainMessage': () => ({
    supportedMessageVersions: [1],
    signOffchainMessage: async (input: { message: string; requiredSigners: Uint8Array[] }) => {
      const { keyPair, address } = await createKeyPairSignerFromPrivateKeyBytes(seed);
      expect(input.requiredSigners).toEqual([key]);
      const envelope = await signOffchainMessageEnvelope(
        [keyPair],
        compileOffchainMessageEnvelope({
          version: 1,
          content: input.message,
          requiredSignatories: [{ address }],
        }),
      );
      return [{ signedOffchainMessage: envelope.content, signature: envelope.signatures[address] }];
    },
  }),
  'solana:signIn': (asked) => ({
    version: '1.0.0',
    signIn: async (input: object) => {
      asked.push(input);
      return [{ account, signedMessage: text, signature: ed25519.sign(text, seed) }];
    },
  }),
  'solana:signTransaction': () => ({
    signTransaction: async ({ transaction }: { transaction: Uint8Array }) => [
      { signedTransaction: await keySigner(seed).signTransaction(transaction) },
    ],
  }),
};

const all = Object.keys(features);
function wallet(names: readonly string[], instead: Record<string, object> = {}) {
  const asked: unknown[] = [];
  const made = Object.fromEntries(names.map((name) => [name, features[name]?.(asked)]));
  const standard: StandardWallet = { name: 'Extension', features: { ...made, ...instead } };
  return { asked, signer: walletSigner(standard, account, 'solana:devnet') };
}

/** A signMessage that fails as those of accounts on a Ledger do. */
const failing = (message: string, code?: number) => ({
  'solana:signMessage': {
    signMessage: async () => {
      throw Object.assign(new Error(message), code === undefined ? {} : { code });
    },
  },
});
const agree = async (names: readonly string[], instead?: Record<string, object>) =>
  wallet(names, instead).signer.agree?.(text);

describe('a wallet signs in', () => {
  it('by the text as it is', async () => {
    expect(await agree(all)).toEqual({ signature: ed25519.sign(text, seed) });
  });
  it('by an off-chain message where it cannot sign the text', async () => {
    const by = await agree(all, failing('Not supported with Ledger'));
    const { signature } = by as { signature: Uint8Array };
    expect(isSignedText(signature, challenge, key)).toBe(true);
    expect(signature).not.toEqual(ed25519.sign(text, seed));
  });
  it('by an off-chain message that its signMessage makes', async () => {
    const ledger = vectors.signatures.find((v) => v.form === 'offchain 0, ASCII' && v.text === 'challenge');
    const { message, signature } = ledger as Vector;
    const out = { signedMessage: unhex(message, message.length / 2), signature: unhex(signature, 64) };
    const by = await agree([], { 'solana:signMessage': { signMessage: async () => [out] } });
    expect(by).toEqual({ signature: out.signature });
  });
  it('by signIn, whose fields make exactly the text', async () => {
    const { signer, asked } = wallet(['solana:signIn', 'solana:signTransaction']);
    expect(await signer.agree?.(text)).toEqual({ signature: ed25519.sign(text, seed) });
    expect(asked).toEqual([vectors.siws]);
  });
  it('by signIn with an off-chain message where it has that', async () => {
    const { signer, asked } = wallet([], {
      'solana:signIn': {
        ...features['solana:signIn']?.([]),
        version: '1.1.0',
        signIn: signInOf(() => asked),
      },
    });
    await signer.agree?.(text);
    expect(asked).toEqual([{ ...vectors.siws, useOffchainMessage: { messageVersion: 1 } }]);
  });
  it('by a transaction with the text as its memo, as web3.js makes it', async () => {
    const by = await agree(['solana:signTransaction'], failing('Not supported with Ledger'));
    expect(by).toEqual({ signedTransaction: base64.decode(vectors.transactions[0]?.transaction as string) });
  });
  it('not in another form than its owner rejected', async () => {
    await expect(agree(all, failing('No', 4001))).rejects.toThrow('No');
    await expect(agree(all, failing('User rejected the request.'))).rejects.toThrow('User rejected');
  });
  it('not at all, and is told what it lacks', async () => {
    const other = { ...features['solana:signIn']?.([]), signIn: signInOf(() => [], `${challenge} `) };
    const refused = agree([], { ...failing('Not supported'), 'solana:signIn': other });
    await expect(refused).rejects.toThrow(
      'solana:signMessage: Not supported; solana:signOffchainMessage is missing; solana:signIn: it signed another text',
    );
  });
});

function signInOf(asked: () => unknown[], signed = challenge) {
  return async (input: object) => {
    asked().push(input);
    const message = bytesOf(signed);
    return [{ account, signedMessage: message, signature: ed25519.sign(message, seed) }];
  };
}

describe('settings', () => {
  it('are signed as they are or in an off-chain message, and by nothing that only signs in', async () => {
    const [plain, offchain] = [all, ['solana:signOffchainMessage']].map((names) => wallet(names).signer);
    for (const signer of [plain, offchain]) {
      const signature = (await signer?.signText(bytesOf(order))) as Uint8Array;
      expect(isSignedText(signature, order, key)).toBe(true);
    }
    const { signer } = wallet(['solana:signIn', 'solana:signTransaction']);
    await expect(signer.signText(bytesOf(order))).rejects.toThrow('signed the text in no form');
  });
});
