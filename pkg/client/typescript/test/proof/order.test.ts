import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '@noble/hashes/sha2.js';
import { base58 } from '@scure/base';
import { expect, it } from 'vitest';
import { bytesOf, hex, unhex } from '../../src/proof/bytes.js';
import type { Manifest } from '../../src/proof/manifest.js';
import { checkOrder, isSigned, type Ordered, orderText } from '../../src/proof/order.js';

interface Vector {
  name: string;
  creator: string;
  mint: string;
  version: number;
  settings: Ordered;
  text: string;
  sha256: string;
  signature: string;
}

// Written by the test of pkg/token/terms.
const path = join(import.meta.dirname, '../../../../token/terms/testdata/orders.json');
const vectors = JSON.parse(readFileSync(path, 'utf8')) as readonly Vector[];

it('has vectors', () => expect(vectors.length).toBeGreaterThan(4));

it.each(vectors)('is the service’s text: $name', (v) => {
  const text = orderText(v.mint, v.version, v.settings);
  expect(text).toBe(v.text);
  const bytes = bytesOf(text);
  expect(hex(sha256(bytes))).toBe(v.sha256);
  const [signature, creator] = [base58.decode(v.signature), base58.decode(v.creator)];
  expect(isSigned(signature, bytes, creator)).toBe(true);
  expect(isSigned(signature, bytesOf(`${text}\n`), creator)).toBe(false);
});

// Made by the libraries of wallets; pkg/platform/auth reads them, too.
const wallets = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../platform/auth/testdata/wallets.json'), 'utf8'),
) as {
  wallet: string;
  signatures: readonly { form: string; text: string; signature: string }[];
};

it.each(wallets.signatures)('counts in a proof as a wallet signed it: $form of the $text', (v) => {
  const { mint, version, settings } = vectors.find((o) => o.name.includes('split')) as Vector;
  const order = base58.encode(unhex(v.signature, 64) as Uint8Array);
  const manifest = {
    ...{ mint, creator: wallets.wallet },
    settings: {
      ...{ version, order, interval: settings.distributionInterval, rewardToken: settings.rewardToken },
      minimumHolding: settings.minimumHoldingRequirement,
      sellBps: settings.percentageToSellPerDistribution * 100,
      burnBps: settings.burnPercent * 100,
      developerFeeBps: settings.developerFeePercent * 100,
      developerWallet: settings.developerWallet,
      creatorSplits: settings.creatorSplits?.map((s) => ({ wallet: s.wallet, partBps: s.percent * 100 })),
      rewardBasis: '',
      minimumHoldersBps: 0n,
      changeDelay: '',
    },
  } as unknown as Manifest;
  const check = expect(() => checkOrder(manifest));
  if (v.text === 'order') check.not.toThrow();
  else check.toThrow('not the creator');
});
