import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { bytesOf, join } from '../../src/proof/bytes.js';
import { type Teller, TOKEN_2022, type Transaction } from '../../src/proof/chain.js';
import { addressWithSeed } from '../../src/proof/derive.js';
import { handedOver, handoverText } from '../../src/proof/handover.js';
import { MEMO_PROGRAM } from '../../src/proof/line.js';
import type { Run } from '../../src/proof/walk.js';

const secret = new Uint8Array(32).fill(7);
const creator = base58.encode(ed25519.getPublicKey(secret));
const [mint, wallet, to, guardian] = [1, 2, 3, 4].map((n) => base58.encode(new Uint8Array(32).fill(n))) as [
  string,
  string,
  string,
  string,
];
const at = 1_773_054_000;

const memo = (by: string, named = to) => `tokenlaunch handover 1 ${named} ${at} ${by}`;
const signed = (text: string) => base58.encode(ed25519.sign(bytesOf(text), secret));
const text = handoverText(mint, { number: 1, newAuthority: to, effectiveAt: new Date(at * 1000) });

const program = (data: Uint8Array, name: string, accounts: string[]) => ({
  program: name,
  accounts,
  data,
  top: 0,
  inner: false,
});

/** The members' account of a token with a guardian. */
const guarded = {
  account: addressWithSeed(creator, mint.slice(0, 8), TOKEN_2022),
  multisig: { required: 2, members: [wallet, guardian, creator] },
};

/** A node whose history of an address has one transaction, which hands the address' authority over. */
function search(note: string, authority = to, by: typeof guarded | null = null, signers = [creator]) {
  const current = by ? by.account : wallet;
  const instructions = [
    program(join(Uint8Array.of(6, 5, 1), base58.decode(authority)), TOKEN_2022, [mint, current, ...signers]),
    ...(note === '' ? [] : [program(bytesOf(note), MEMO_PROGRAM, [])]),
  ];
  const signedBy = (key: string) => signers.includes(key);
  const node = {
    page: async (of: string) =>
      of === current ? [{ signature: 's', slot: 1n, memo: note && `[1] ${note}` }] : [],
    landing: async () => ({ signature: 's', failed: '', instructions, signedBy }) as unknown as Transaction,
    multisig: async (of: string) => (of === by?.account ? by.multisig : null),
  } as unknown as Teller;
  return handedOver({ anchor: { wallet }, manifest: { mint, creator } } as unknown as Run, node);
}

describe('a hand-over', () => {
  it('has the text of the documents', () => {
    expect(text).toBe(
      `Tokenlaunch hand-over of the tax\nToken: ${mint}\nOrder: 1\nNew authority over withheld tax: ${to}\nNot before: 2026-03-09T11:00:00Z`,
    );
  });
  it("is the creator's by a signature, or the operator's to the creator", async () => {
    expect(await search(memo(signed(text)))).toContain(to);
    expect(await search(memo('operator', creator), creator)).toContain('operator');
  });
  it.each([
    ['without an order', 'tokenlaunch handover of something', to],
    ['that another order names', memo(signed(text)), wallet],
    ['of the operator to another', memo('operator'), to],
    ['with a false signature', memo(signed(`${text} `)), to],
  ])('is named %s', async (_, note, authority) => {
    await expect(search(note, authority)).rejects.toThrow('handed the tax');
  });
  it('is none where no memo tells of one', async () => {
    expect(await search('gm')).toBe(null);
  });
  it("is guardian's and creator's, with an order or without", async () => {
    const both = [creator, guardian];
    expect(await search(memo(signed(text)), to, guarded, both)).toBe(
      `two of three together were who may withdraw the token's tax, until s handed that over to ${to}, by order 1 of the creator`,
    );
    expect(await search('', to, guarded, both)).toBe(
      `two of three together were who may withdraw the token's tax, until s handed that over to ${to}, signed by the guardian ${guardian} and the creator ${creator}`,
    );
  });
  it('of a token with a guardian needs an order where the wallet signed', async () => {
    expect(await search(memo(signed(text)), to, guarded, [wallet, creator])).toContain('by order 1');
    await expect(search('', to, guarded, [wallet, guardian])).rejects.toThrow('no order');
    await expect(search(memo(signed(`${text} `)), to, guarded, [wallet, guardian])).rejects.toThrow(
      'did not sign',
    );
  });
  it('of the account of other members is none', async () => {
    const other = { ...guarded, multisig: { required: 1, members: [wallet, guardian, creator] } };
    expect(await search('', to, other, [creator, guardian])).toBeNull();
  });
});
