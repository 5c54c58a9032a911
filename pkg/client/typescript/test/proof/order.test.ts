import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '@noble/hashes/sha2.js';
import { base58 } from '@scure/base';
import { expect, it } from 'vitest';
import { bytesOf, hex } from '../../src/proof/bytes.js';
import { isSigned, type Ordered, orderText } from '../../src/proof/order.js';

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
