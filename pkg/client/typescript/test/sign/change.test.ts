import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58, base64 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import {
  changes,
  checkSigned,
  keySigner,
  LIGHTHOUSE,
  parse,
  sameAgain,
  TransactionMismatchError,
  WalletChanged,
} from '../../src/sign/index.js';
import { vectors as prepared } from '../vectors.js';

/** What the service says of what wallets make of a transaction. */
interface Vector {
  readonly Name: string;
  readonly Issued: string;
  readonly Returned: string;
  readonly Changes: readonly string[];
  readonly Error: string;
}

const vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../testdata/changes.json'), 'utf8'),
) as readonly Vector[];

const read = (text: string) => parse(base64.decode(text));

describe('what a wallet changed', () => {
  for (const { Name, Issued, Returned, Changes, Error: why } of vectors)
    it(`is described as the service does: ${Name}`, () => {
      const compare = () => changes(read(Issued), read(Returned));
      if (why === '') expect(compare()).toEqual(Changes);
      else expect(compare).toThrow(new WalletChanged(why).message);
    });
});

const me = keySigner(new Uint8Array(32).fill(5));
const other = keySigner(new Uint8Array(32).fill(6));
const [BUDGET, SYSTEM] = ['ComputeBudget111111111111111111111111111111', '11111111111111111111111111111111'];

interface Part {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: readonly number[];
}

/** Writes a transaction that these sign and in which the programs are only read, on a blockhash. */
function build(signers: readonly string[], parts: readonly Part[], blockhash = 9): Uint8Array {
  const programs = new Set(parts.map((p) => p.program));
  const written = [...new Set([...signers, ...parts.flatMap((p) => p.accounts)])];
  const keys = [...written, ...programs];
  return Uint8Array.from([
    ...[signers.length, ...new Uint8Array(64 * signers.length), signers.length, 0, programs.size],
    ...[keys.length, ...keys.flatMap((key) => [...base58.decode(key)])],
    ...[...new Uint8Array(32).fill(blockhash), parts.length],
    ...parts.flatMap(({ program, accounts, data }) => [
      ...[keys.indexOf(program), accounts.length, ...accounts.map((key) => keys.indexOf(key))],
      ...[data.length, ...data],
    ]),
  ]);
}

const price = (each: number): Part => ({
  program: BUDGET,
  accounts: [],
  data: [3, each & 255, each >> 8, 0, 0, 0, 0, 0, 0],
});
const pay: Part = { program: SYSTEM, accounts: [me.address, other.address], data: [2, 0, 0, 0, 1] };
const guard: Part = { program: LIGHTHOUSE, accounts: [me.address], data: [5, 0, 1] };
const tip: Part = { ...pay, data: [2, 0, 0, 0, 9] };
const both = [me.address, other.address];

/** The result of a wallet that signs this in place of the given transaction. */
const signed = (bytes: Uint8Array) => me.signTransaction(bytes);

describe('what comes back from a wallet', () => {
  const issued = build(both, [price(1), pay]);
  it('gets the signatures back that the wallet dropped', async () => {
    const cosigned = await other.signTransaction(issued);
    const { transaction, changes } = checkSigned(cosigned, await signed(issued));
    expect(changes).toEqual([]);
    const { message, signatures } = parse(transaction);
    for (const [i, { address }] of [me, other].entries())
      expect(ed25519.verify(signatures[i] as Uint8Array, message, base58.decode(address))).toBe(true);
  });
  it('may have a price and guards of the wallet where the service signs last', async () => {
    const changed = await signed(build(both, [price(2), pay, guard]));
    const { transaction, changes } = checkSigned(issued, changed);
    expect(transaction).toEqual(changed);
    expect(changes).toEqual([
      'priority fee of 0.000000003 SOL in place of 0.000000002 SOL',
      '1 Lighthouse assertion(s) added',
    ]);
    const tipped = await signed(build(both, [price(1), pay, tip]));
    expect(() => checkSigned(issued, tipped)).toThrow(`instruction 3 was added: its program is ${SYSTEM}`);
  });
  it('may have nothing else where another key has signed, and reports the reason', async () => {
    const cosigned = await other.signTransaction(issued);
    for (const [parts, why] of [
      [[price(1), pay, guard], '1 Lighthouse assertion(s) added'],
      [[price(1), pay, tip], 'instruction 3 was added'],
    ] as const) {
      const back = await signed(build(both, parts));
      expect(() => checkSigned(cosigned, back)).toThrow(`the wallet changed the transaction: ${why}`);
      expect(() => checkSigned(cosigned, back)).toThrow('is gone, so it can be sent only as it was issued');
    }
  });
  it('is its owner’s where the wallet signs alone, and is told', async () => {
    const alone = build([me.address], [price(1), pay]);
    const back = await signed(build([me.address], [price(1), pay, tip]));
    expect(checkSigned(alone, back)).toEqual({
      transaction: back,
      changes: [expect.stringContaining('instruction 3 was added')],
    });
    expect(() => checkSigned(alone, alone)).toThrow('without its signature');
  });
});

describe('what the service has signed', () => {
  for (const { name, given } of prepared) {
    const bytes = base64.decode(given.transaction as string);
    const { signatures } = parse(bytes);
    if (signatures.length > 1)
      it(`is in what is sent, also where the wallet dropped it: ${name}`, () => {
        const back = new Uint8Array(bytes);
        back.fill(7, 1, 65).fill(0, 65, 1 + 64 * signatures.length);
        const { transaction, changes } = checkSigned(bytes, back);
        expect(changes).toEqual([]);
        expect(parse(transaction).signatures.slice(1)).toEqual(signatures.slice(1));
        expect(transaction.subarray(1, 65)).toEqual(back.subarray(1, 65));
      });
  }
});

describe('a fresh launch in place of one that a wallet changed', () => {
  const before = base64.encode(build(both, [price(2), pay, guard], 9));
  const fresh = (...parts: Part[]) => base64.encode(build(both, parts, 8));
  it('is the same without what the wallet added', () => {
    expect(() => sameAgain(before, fresh(price(1), pay))).not.toThrow();
    expect(() => sameAgain(before, fresh(price(2), pay, guard))).not.toThrow();
  });
  it('does nothing else and costs no more', () => {
    expect(() => sameAgain(before, fresh(price(256), pay))).toThrow('a higher priority fee');
    expect(() => sameAgain(before, fresh(price(1), tip))).toThrow(TransactionMismatchError);
    expect(() => sameAgain(before, fresh(price(1), pay, tip))).toThrow(TransactionMismatchError);
  });
});
