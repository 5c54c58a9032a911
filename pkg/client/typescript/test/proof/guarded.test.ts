import { describe, expect, it } from 'vitest';
import { type Multisig, type Teller, TOKEN_2022 } from '../../src/proof/chain.js';
import { addressWithSeed } from '../../src/proof/derive.js';
import { guarded } from '../../src/proof/handover.js';
import { ZERO } from '../../src/proof/line.js';

const [wallet, guardian, creator, mint, other] = [
  '7bmhqtB9rHS5LbhY3uQtV3KT5iNcFEfmsE1g3VQj9sqQ',
  '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofN',
  '8sLhuH3TKG1tao2fvqFrd2agZMkELDAoawpjvF5LaEtx',
  'CfdBw7Wb1dUsdNDrHMk6UCPcYYpWSqea8BAgbHgc2hMH',
  'BtM3wbRDTBVn4GzLby4TgwNb4e1Kmr5zP9nEz89CtXKL',
] as const;
const account = addressWithSeed(creator, mint.slice(0, 8), TOKEN_2022);

const node = (multisig?: Multisig | null) =>
  (multisig === undefined ? {} : { multisig: () => Promise.resolve(multisig) }) as unknown as Teller;

describe('the authority of a token with a guardian', () => {
  it('is the account of wallet, guardian and creator', async () => {
    const members = [wallet, guardian, creator];
    expect(await guarded(node({ required: 2, members }), mint, account, wallet)).toEqual([guardian, creator]);
  });
  for (const [name, required, members, authority] of [
    ['one of three', 1, [wallet, guardian, creator], account],
    ['of two', 2, [wallet, creator], account],
    ['of another wallet', 2, [other, guardian, creator], account],
    ['the wallet twice', 2, [wallet, wallet, creator], account],
    ['the creator twice', 2, [wallet, creator, creator], account],
    ['of another creator', 2, [wallet, guardian, other], account],
    ["not at the creator's place", 2, [wallet, guardian, creator], other],
    ['none', 2, [wallet, guardian, creator], ZERO],
  ] as const)
    it(`is no account ${name}`, async () => {
      expect(await guarded(node({ required, members }), mint, authority, wallet)).toBeNull();
    });
  it('is unknown to a node that reads none', async () => {
    expect(await guarded(node(), mint, account, wallet)).toBeNull();
    expect(await guarded(node(null), mint, account, wallet)).toBeNull();
  });
});
