import '../token/page';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { base64 } from '@scure/base';
import { checkSigned, type Instruction, parse, renewed } from 'tokenlaunch/sign';
import { describe, expect, it } from 'vitest';
import { askedOf } from '../../src/token/curve/trade';
import { toSign, type Unsigned } from '../../src/wallet/unsigned';
import { address, BUDGET, build, transfer } from './build';

const me = address(1);
const other = address(2);
const budget: Instruction = { program: BUDGET, accounts: [], data: new Uint8Array([2, 0, 0, 0, 0]) };

describe('a transaction', () => {
  it('is read as it was written', () => {
    const many = Array.from({ length: 200 }, (_, i) => i % 256);
    const read = parse(
      build([me, other], [transfer(me, other, 5n), { ...budget, data: new Uint8Array(many) }]),
    );
    expect(read.signers).toEqual([me, other]);
    expect(read.signatures).toHaveLength(2);
    expect(read.blockhash).toBe(address(9));
    expect(read.instructions[0]?.accounts).toEqual([me, other]);
    expect([...(read.instructions[1]?.data ?? [])]).toEqual(many);
  });
  it('is refused when bytes are missing or left, and in another version', () => {
    const good = build([me], [transfer(me, other, 5n)]);
    for (let cut = 0; cut < good.length; cut++) expect(() => parse(good.subarray(0, cut))).toThrow();
    expect(() => parse(new Uint8Array([...good, 0]))).toThrow('after its end');
    const newer = new Uint8Array(good);
    newer[65] = 0x80;
    expect(() => parse(newer)).toThrow('not a legacy one');
    const unsigned = new Uint8Array([0, ...good.subarray(65)]);
    expect(() => parse(unsigned)).toThrow('as many signatures');
  });
});

interface Vector {
  readonly name: string;
  readonly wallet: string;
  readonly asked: { readonly mint: string; readonly buy: never; readonly sell: never };
  readonly given: Unsigned;
  readonly hostile: readonly { readonly name: string; readonly fields: object }[];
}

/** What the service prepared, and what a hostile API could answer instead; see the TypeScript package. */
const vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../../client/testdata/asked.json'), 'utf8'),
) as Vector[];

describe('a trade', () => {
  for (const { name, wallet, asked, given, hostile } of vectors.filter((v) => /buy|sell/.test(v.name)))
    it(`is signed as it was shown, and no other: ${name}`, () => {
      const wanted = askedOf(asked.mint, asked.buy ?? asked.sell, given as never);
      expect(toSign(given, wanted, wallet).length).toBeGreaterThan(100);
      for (const { name, fields } of hostile)
        expect(() => toSign({ ...given, ...fields }, wanted, wallet), name).toThrow('was not asked to sign');
      for (const bad of ['', '1,0', '1e9', 'a lot'])
        expect(() =>
          askedOf(asked.mint, asked.buy ?? asked.sell, {
            ...given,
            ...(asked.buy ? { maximumSolCost: bad } : { minimumSolReceived: bad }),
          } as never),
        ).toThrow('cannot be read');
    });
});

describe('a fresh transaction', () => {
  it('brings only itself and its time', () => {
    const transaction = base64.encode(build([me], [transfer(me, other, 5n)]));
    const before = { transaction, cost: { totalLamports: '5' }, explanation: [], expiresAt: '1' } as never;
    const fresh = { transaction, expiresAt: '2', lastValidBlockHeight: 3, cost: { totalLamports: '6' } };
    expect(renewed(before, fresh)).toEqual({
      ...(before as Unsigned),
      expiresAt: '2',
      lastValidBlockHeight: 3,
    });
  });
});

describe('the transaction that a wallet returns', () => {
  const given = build([me], [transfer(me, other, 5n)]);
  const back = (bytes: Uint8Array) => {
    const copy = new Uint8Array(bytes);
    copy.fill(7, 1, 65);
    return copy;
  };
  it('must be signed', () => {
    expect(() => checkSigned(given, given)).toThrow('without its signature');
    expect(checkSigned(given, back(given))).toEqual({ transaction: back(given), changes: [] });
  });
  it('may be changed where its owner signs alone, and is told', () => {
    const changed = back(build([me], [transfer(me, other, 5n), budget]));
    expect(checkSigned(given, changed).changes).toHaveLength(1);
    const two = build([me, other], [transfer(me, other, 5n)]);
    const both = back(build([me, other], [transfer(me, other, 5n), budget]));
    expect(() => checkSigned(two, both)).toThrow('instruction 2 was added');
    expect(() => checkSigned(given, back(build([other], [transfer(me, other, 5n)])))).toThrow();
  });
  it('is base64 of the whole', () => {
    expect(base64.decode(base64.encode(given))).toEqual(given);
  });
});
