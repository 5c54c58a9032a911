import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58, base64 } from '@scure/base';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  checkSigned,
  keySigner,
  kitSigner,
  parse,
  sameAgain,
  TransactionMismatchError,
  walletSigner,
} from '../../src/sign/index.js';

const seed = new Uint8Array(32).fill(5);
const pair = new Uint8Array([...seed, ...ed25519.getPublicKey(seed)]);
const key = keySigner(pair);

const [vector] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../testdata/asked.json'), 'utf8'),
) as [{ given: { transaction: string } }];

/** A transaction that the service made, of which the key is the payer. */
function mine(): Uint8Array {
  const bytes = base64.decode(vector.given.transaction);
  const { message } = parse(bytes);
  bytes.set(base58.decode(key.address), bytes.length - message.length + 4);
  return bytes;
}

const text = new TextEncoder().encode('A text.');

describe('a key', () => {
  it('is read from what Phantom, solana-keygen and OpenSSL write', () => {
    expect(keySigner(`${base58.encode(pair)}\n`).address).toBe(key.address);
    expect(keySigner(JSON.stringify([...pair])).address).toBe(key.address);
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const { x } = privateKey.export({ format: 'jwk' });
    expect(keySigner(pem).address).toBe(base58.encode(Buffer.from(x ?? '', 'base64url')));
  });
  it('is refused without a word of it', () => {
    for (const bad of [
      '[1,2',
      '[1,2,300]',
      '{}',
      'secret',
      key.address,
      base58.encode(new Uint8Array(63).fill(5)),
      '-----BEGIN PRIVATE KEY-----\n%%\n-----END PRIVATE KEY-----',
    ])
      expect(() => keySigner(bad), bad).toThrow('The text is no key');
    expect(() => keySigner(new Uint8Array(31))).toThrow('this one 31');
    expect(() => keySigner(new Uint8Array([...seed, ...seed]))).toThrow('two halves');
  });
  it('signs in its own place and no other', async () => {
    const bytes = mine();
    const signed = await key.signTransaction(bytes);
    expect(
      ed25519.verify(parse(signed).signatures[0] as Uint8Array, parse(bytes).message, pair.slice(32)),
    ).toBe(true);
    expect(parse(signed).signatures.slice(1)).toEqual(parse(bytes).signatures.slice(1));
    await expect(key.signTransaction(base64.decode(vector.given.transaction))).rejects.toThrow('not for');
  });
});

describe('a signer of @solana/kit', () => {
  it('signs what the key signs', async () => {
    const kit = kitSigner(await createKeyPairSignerFromBytes(pair));
    expect(kit.address).toBe(key.address);
    expect(await kit.signText(text)).toEqual(await key.signText(text));
    expect(await kit.signTransaction(mine())).toEqual(await key.signTransaction(mine()));
  });
});

describe('a wallet of the wallet standard', () => {
  const account = { address: key.address, chains: ['solana:devnet'] };
  const wallet = (signedMessage: Uint8Array, asked: unknown[] = []) => ({
    name: 'Extension',
    features: {
      'solana:signMessage': { signMessage: async () => [{ signedMessage, signature: new Uint8Array(64) }] },
      'solana:signTransaction': {
        signTransaction: async (input: { transaction: Uint8Array }) => {
          asked.push(input);
          return [{ signedTransaction: await key.signTransaction(input.transaction) }];
        },
      },
    },
  });
  it('signs the very text, or nothing of it counts', async () => {
    expect(await walletSigner(wallet(text), account).signText(text)).toHaveLength(64);
    await expect(walletSigner(wallet(text.slice(1)), account).signText(text)).rejects.toThrow('another text');
    await expect(walletSigner({ name: 'None', features: {} }, account).signText(text)).rejects.toThrow(
      'solana:signMessage is missing',
    );
  });
  it('is told the chain where it has it', async () => {
    const asked: { chain?: string }[] = [];
    for (const chain of ['solana:devnet', 'solana:mainnet'])
      await walletSigner(wallet(text, asked), account, chain).signTransaction(mine());
    expect(asked.map((a) => a.chain)).toEqual(['solana:devnet', undefined]);
  });
});

describe('a fresh transaction', () => {
  const blockhash = () => {
    const bytes = mine();
    const { message } = parse(bytes);
    return { bytes, at: bytes.length - message.length + 4 + 32 * (message[3] as number) };
  };
  it('is the same on another blockhash, and nothing else', () => {
    const { bytes, at } = blockhash();
    const before = base64.encode(bytes);
    const fresh = (change: number) => {
      const other = bytes.slice();
      other[change] = (other[change] as number) ^ 1;
      return () => sameAgain(before, base64.encode(other));
    };
    for (let i = at; i < at + 32; i++) expect(fresh(i)).not.toThrow();
    for (const change of [at - 1, at + 33, bytes.length - 1])
      expect(fresh(change)).toThrow(TransactionMismatchError);
  });
  it('does not use a one-time number, which does not expire', () => {
    // A signature; a message of two accounts, on a blockhash, that calls the second one, the system program.
    const on = (blockhash: number) =>
      base64.encode(
        Uint8Array.from([
          ...[1, ...Array(64).fill(0), 1, 0, 1, 2, ...base58.decode(key.address), ...Array(32).fill(0)],
          ...[...Array(32).fill(blockhash), 1, 1, 1, 0, 4, 4, 0, 0, 0],
        ]),
      );
    expect(() => sameAgain(on(1), on(2))).toThrow('durable nonce');
    expect(() => sameAgain(on(1), on(1))).not.toThrow();
  });
});

describe('the transaction that a wallet returns', () => {
  it('must be what it was given, signed', async () => {
    const signed = await key.signTransaction(mine());
    expect(checkSigned(mine(), signed)).toEqual({ transaction: signed, changes: [] });
    expect(() => checkSigned(mine(), mine())).toThrow('without its signature');
    const other = signed.slice();
    other[other.length - 1] = (other[other.length - 1] as number) ^ 1;
    expect(() => checkSigned(mine(), other)).toThrow('the wallet changed the transaction: instruction ');
  });
});
