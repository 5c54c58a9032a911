import { describe, expect, it } from 'vitest';
import './page';
import { type Fact, facts, type Record } from '../../src/token/facts/facts';
import { examples } from './examples';

const creator = examples.token.creator;
const stranger = '93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp';

function record(change: object, authorities: object): Record {
  return {
    ...examples.token,
    transferFeePercent: 5,
    transferFeeAdjustable: false,
    immutableMetadata: true,
    ...change,
    authorities: {
      mint: null,
      freeze: null,
      metadataUpdate: null,
      transferFeeConfig: null,
      withdrawWithheld: stranger,
      ...authorities,
    },
  } as Record;
}

const of = (t: Record, key: Fact['key']): Fact => facts(t).find((f) => f.key === key) as Fact;

interface Change {
  immutableMetadata: boolean;
  transferFeeAdjustable: boolean;
  transferFeePercent: number;
}
type Named = globalThis.Record<'mint' | 'freeze' | 'metadataUpdate' | 'transferFeeConfig', string | null>;

/** Nothing is called locked that a key holds, nor open that none does. */
function check(change: Change, named: Named): void {
  const t = record(change, named);
  const what = JSON.stringify({ change, named });
  expect(facts(t).map((f) => f.key)).toEqual(['mint', 'freeze', 'metadata', 'tax', 'collect']);
  const holds = {
    mint: named.mint,
    freeze: named.freeze,
    metadata: named.metadataUpdate,
    tax: named.transferFeeConfig,
  };
  for (const [key, authority] of Object.entries(holds)) {
    const fact = of(t, key as Fact['key']);
    expect(fact.value, what).toBe(authority ?? 'none');
    if (fact.kind === 'good') expect(authority, what).toBeNull();
    if (fact.kind === 'open') expect(authority, what).not.toBeNull();
    if (fact.kind === 'open' && authority === stranger) expect(fact.says, what).toContain(stranger);
    if (fact.kind === 'open' && authority === creator) expect(fact.says, what).toContain('The creator can');
  }
  expect(of(t, 'metadata').kind === 'odd', what).toBe(
    (named.metadataUpdate === null) !== change.immutableMetadata,
  );
  expect(of(t, 'tax').kind === 'odd', what).toBe(
    (named.transferFeeConfig !== null) !== change.transferFeeAdjustable,
  );
}

describe('facts', () => {
  it('hold for every combination of what the record says and of who it names', () => {
    const holders = [null, creator, stranger];
    let seen = 0;
    for (const mint of holders)
      for (const freeze of holders)
        for (const metadataUpdate of holders)
          for (const transferFeeConfig of holders)
            for (const immutableMetadata of [true, false])
              for (const transferFeeAdjustable of [true, false])
                for (const transferFeePercent of [0, 0.01, 5, 12.5]) {
                  check(
                    { immutableMetadata, transferFeeAdjustable, transferFeePercent },
                    { mint, freeze, metadataUpdate, transferFeeConfig },
                  );
                  seen++;
                }
    expect(seen).toBe(1296);
  });

  it('are said in plain words', () => {
    const says = (change: object, authorities: object) =>
      facts(record(change, authorities)).map((f) => f.says);
    expect(says({}, {})).toEqual([
      'No more can be minted.',
      'Your tokens cannot be frozen.',
      'The name and picture are locked.',
      'The tax is fixed at 5%.',
      'A wallet of this service collects the tax. Every use of it is published with a proof.',
    ]);
    expect(
      says(
        { immutableMetadata: false, transferFeeAdjustable: true, transferFeePercent: 2.5 },
        { metadataUpdate: creator, transferFeeConfig: creator },
      ).slice(2, 4),
    ).toEqual([
      'The creator can still change the name and picture.',
      'The tax was 2.5% at launch. The creator can change it, up to 100%. A change takes effect two to four days later.',
    ]);
    expect(says({ transferFeePercent: 0 }, {})[3]).toBe('There is no tax, and none can be added.');
  });
});
