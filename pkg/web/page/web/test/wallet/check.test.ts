import { base64 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { type Kind, objection } from '../../src/wallet/check';
import { type Instruction, parse } from '../../src/wallet/message';
import { checkSigned, toSign, type Unsigned } from '../../src/wallet/unsigned';
import { address, BUDGET, build, system, TOKEN, TOKEN_2022, transfer } from './build';
import { made } from './made';

const me = address(1);
const other = address(2);
const budget: Instruction = { program: BUDGET, accounts: [], data: new Uint8Array([2, 0, 0, 0, 0]) };

const judge = (kind: Kind, instructions: readonly Instruction[], lamports = 100n, payer = me) =>
  objection(parse(build([payer], instructions)), { kind, payer: me, lamports });

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

describe('the look before signing', () => {
  it('lets the service’s own transactions pass', () => {
    for (const { kind, wallet, unsigned } of made)
      expect(toSign(unsigned as Unsigned, kind, wallet).length, kind).toBeGreaterThan(100);
  });
  it('objects when they are of another kind, for another wallet, or cost more than was said', () => {
    for (const { kind, wallet, unsigned } of made) {
      expect(() => toSign(unsigned as Unsigned, kind, me)).toThrow('another wallet');
      const another = kind === 'tax' ? 'promotion' : 'tax';
      expect(() => toSign(unsigned as Unsigned, another, wallet), kind).toThrow('no part in this');
    }
    const launch = made.find((m) => m.kind === 'launch');
    if (!launch) throw new Error('no launch');
    // The plain transfers: the mint's rent and what the distribution wallet gets.
    const least = { ...launch.unsigned, cost: { totalLamports: '24454399' } } as Unsigned;
    expect(() => toSign(least, 'launch', launch.wallet)).toThrow('0.0244544 SOL');
  });
  it('objects to what takes SOL or accounts', () => {
    expect(judge('promotion', [budget, transfer(me, other, 100n)])).toBeNull();
    expect(judge('promotion', [transfer(me, other, 60n), transfer(me, other, 41n)])).toContain('would move');
    expect(judge('promotion', [transfer(other, me, 1000n)])).toBeNull();
    expect(judge('promotion', [transfer(me, other, 1n)], 100n, other)).toContain('another wallet');
    // Assign gives the account away, AuthorizeNonce the right to a number.
    for (const tag of [1, 3, 5, 6, 7, 8, 9, 10, 11, 12])
      expect(judge('promotion', [system(tag, [me])]), `${tag}`).toContain('system program');
    const cut = { ...transfer(me, other, 1n), data: new Uint8Array([2, 0, 0]) };
    expect(judge('promotion', [cut])).toContain('system program');
    expect(judge('tax', [transfer(me, other, 1n)])).toContain('no part in this');
  });
  it('lets a launch ask for the signature of the service, and for nothing else by a memo', () => {
    const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
    const memo = (accounts: string[], data: number[] = []): Instruction => ({
      program: MEMO,
      accounts,
      data: new Uint8Array(data),
    });
    expect(judge('launch', [memo([other])])).toBeNull();
    expect(judge('launch', [memo([me])])).toContain('memo program');
    expect(judge('launch', [memo([other], [65])])).toContain('memo program');
    expect(judge('promotion', [memo([other])])).toContain('no part in this');
  });
  it('objects to what takes tokens', () => {
    const mint = address(4);
    const ask = (kind: Kind, data: number[], accounts: string[] = [mint, me], program = TOKEN_2022) =>
      objection(parse(build([me, mint], [{ program, accounts, data: new Uint8Array(data) }])), {
        kind,
        payer: me,
        lamports: 0n,
      });
    // Transfer, approve, burn, thaw, and their kin.
    for (const tag of [3, 4, 8, 10, 11, 12, 13, 15]) {
      expect(ask('launch', [tag]), `${tag}`).toContain('no part in this');
      expect(ask('pool', [tag], [mint, me], TOKEN), `${tag}`).toContain('no part in this');
    }
    for (const fee of [1, 2, 3, 4, 5]) expect(ask('launch', [26, fee])).toContain('no part in this');
    expect(ask('launch', [26, 0])).toBeNull();
    expect(ask('tax', [26, 5])).toBeNull();
    expect(ask('tax', [6, 0, 0])).toContain('no part in this');
    // The right to mint is given up, and not passed on; that of an account is not touched.
    expect(ask('launch', [6, 0, 0])).toBeNull();
    expect(ask('launch', [6, 0, 1])).toContain('no part in this');
    expect(ask('launch', [6, 2, 0])).toContain('no part in this');
    for (const other of [address(3), me])
      expect(ask('launch', [6, 0, 0], [other, me])).toContain('another token');
    expect(ask('pool', [9], [address(3), me, me], TOKEN)).toBeNull();
    expect(ask('pool', [9], [address(3), other, me], TOKEN)).toContain('somebody else');
  });
});

describe('what a wallet gives back', () => {
  const given = build([me], [transfer(me, other, 5n)]);
  const back = (bytes: Uint8Array) => {
    const copy = new Uint8Array(bytes);
    copy.fill(7, 1, 65);
    return copy;
  };
  it('must be signed', () => {
    expect(() => checkSigned(given, given, false)).toThrow('without its signature');
    expect(() => checkSigned(given, back(given), true)).not.toThrow();
  });
  it('may be changed only where its owner sends it himself', () => {
    const changed = back(build([me], [transfer(me, other, 5n), budget]));
    expect(() => checkSigned(given, changed, true)).toThrow('changed the transaction');
    expect(() => checkSigned(given, changed, false)).not.toThrow();
    expect(() => checkSigned(given, back(build([other], [transfer(me, other, 5n)])), false)).toThrow();
  });
  it('is base64 of the whole', () => {
    expect(base64.decode(base64.encode(given))).toEqual(given);
  });
});
