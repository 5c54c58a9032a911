import { readFileSync } from 'node:fs';
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import { expect, it } from 'vitest';
import { type Ordered, orderText } from '../../src/mine/order';

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

// Written by the test of pkg/token/terms; tests run in pkg/web/page/web.
const vectors = JSON.parse(
  readFileSync('../../../token/terms/testdata/orders.json', 'utf8'),
) as readonly Vector[];

it('has vectors', () => expect(vectors.length).toBeGreaterThan(4));

it.each(vectors)('is the service’s text: $name', (v) => {
  const text = orderText(v.mint, v.version, v.settings);
  expect(text).toBe(v.text);
  const bytes = new TextEncoder().encode(text);
  expect(bytesToHex(sha256(bytes))).toBe(v.sha256);
  expect(ed25519.verify(base58.decode(v.signature), bytes, base58.decode(v.creator), { zip215: false })).toBe(
    true,
  );
});
