import { describe, expect, it } from 'vitest';
import './page';
import type { Handover, Record } from '../../src/token/facts/facts';
import { compare, type Mint } from '../../src/token/facts/onchain';
import { examples } from './examples';

const wallet = examples.token.distributionWallet.address;
const creator = examples.token.creator;

const record: Record = {
  ...examples.token,
  transferFeePercent: 5,
  transferFeeAdjustable: false,
  immutableMetadata: true,
  authorities: {
    mint: null,
    freeze: null,
    metadataUpdate: null,
    transferFeeConfig: null,
    withdrawWithheld: wallet,
  } as never,
};

const fee = (points: number, epoch = 0) => ({ epoch, transferFeeBasisPoints: points });

function mint(change: object, config: object = {}, metadata: object = {}): Mint {
  return {
    mintAuthority: null,
    freezeAuthority: null,
    extensions: [
      {
        extension: 'transferFeeConfig',
        state: {
          transferFeeConfigAuthority: null,
          withdrawWithheldAuthority: wallet,
          olderTransferFee: fee(500),
          newerTransferFee: fee(500),
          ...config,
        },
      },
      { extension: 'tokenMetadata', state: { updateAuthority: null, ...metadata } },
    ],
    ...change,
  };
}

const differing = (m: Mint, r = record, handover: Handover = null) =>
  compare(r, handover, m, 7)
    .filter((c) => !c.agrees)
    .map((c) => c.key);

describe('what the chain says', () => {
  it('agrees with a record that is true', () => {
    expect(differing(mint({}))).toEqual([]);
  });
  it('differs in just what is not true', () => {
    expect(differing(mint({ mintAuthority: creator }))).toEqual(['mint']);
    expect(differing(mint({ freezeAuthority: creator }))).toEqual(['freeze']);
    expect(differing(mint({}, {}, { updateAuthority: creator }))).toEqual(['metadata']);
    expect(differing(mint({}, { transferFeeConfigAuthority: creator }))).toEqual(['tax']);
    expect(differing(mint({}, { newerTransferFee: fee(600, 9) }))).toEqual(['tax']);
    expect(differing(mint({}, { withdrawWithheldAuthority: creator }))).toEqual(['collect']);
    expect(differing(mint({ extensions: [] }))).toEqual(['metadata', 'tax', 'collect']);
  });
  it('agrees with the new authority from the hand-over on, and with no other', () => {
    const order = (status: string) => ({ status, newAuthority: creator }) as Handover;
    const by = (withdrawWithheldAuthority: string) => mint({}, { withdrawWithheldAuthority });
    for (const [status, old, fresh] of [
      ['none', true, false],
      ['ordered', true, false],
      ['cancelled', true, false],
      ['begun', true, true],
      ['done', false, true],
    ] as const) {
      expect(differing(by(wallet), record, order(status)), status).toEqual(old ? [] : ['collect']);
      expect(differing(by(creator), record, order(status)), status).toEqual(fresh ? [] : ['collect']);
      expect(differing(by(record.authorities.mint ?? 'x'), record, order(status)), status).toEqual([
        'collect',
      ]);
    }
  });
  it('agrees with the account of the three members', () => {
    const account = 'CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8';
    const guarded = {
      ...record,
      guardian: creator,
      authorities: { ...record.authorities, withdrawWithheld: account },
    };
    expect(differing(mint({}, { withdrawWithheldAuthority: account }), guarded)).toEqual([]);
    expect(differing(mint({}), guarded)).toEqual(['collect']);
  });
  it('shows what the tax is now and what it will be', () => {
    const adjustable = {
      ...record,
      transferFeeAdjustable: true,
      authorities: { ...record.authorities, transferFeeConfig: creator },
    };
    const coming = mint(
      {},
      { transferFeeConfigAuthority: creator, olderTransferFee: fee(500), newerTransferFee: fee(900, 8) },
    );
    const [before, after] = [7, 8].map((epoch) =>
      compare(adjustable, null, coming, epoch).find((c) => c.key === 'tax'),
    );
    expect(before).toMatchObject({
      agrees: true,
      says: `The chain says: 5% now, and ${creator} can change it. From epoch 8 on it is 9%.`,
    });
    expect(after).toMatchObject({
      agrees: true,
      says: `The chain says: 9% now, and ${creator} can change it.`,
    });
  });
});
