import { describe, expect, it } from 'vitest';
import './page';
import {
  ending,
  type Fact,
  facts,
  type Handover,
  handed,
  type Record,
  terms,
} from '../../src/token/facts/facts';
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

const of = (t: Record, key: Fact['key']): Fact => facts(t, null).find((f) => f.key === key) as Fact;

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
  expect(facts(t, null).map((f) => f.key)).toEqual(['mint', 'freeze', 'metadata', 'tax', 'collect']);
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
  it('names shares, pause and reward, and what holders are promised', () => {
    const says = (minimumHoldersPercent: number) =>
      terms({ settings: { minimumHoldersPercent } } as Parameters<typeof terms>[0]);
    const [open] = says(0);
    for (const word of ['share to 0', 'pause', 'reward', 'interval', 'minimum holding'])
      expect(open?.says).toContain(word);
    expect(says(0).map((t) => t.kind)).toEqual(['open']);
    expect(says(60).map((t) => t.kind)).toEqual(['good', 'open']);
    expect(says(60)[0]?.says).toContain('at least 60%');
  });
  it('name who collects the tax: the service, two of three, or the new authority', () => {
    const order = (status: string, newAuthority = stranger, orderedBy = 'creator') =>
      ({
        status,
        newAuthority,
        orderedBy,
        effectiveAt: '2026-12-07T09:00:00Z',
        doneAt: status === 'done' ? '2026-12-07T09:05:00Z' : null,
      }) as Handover;
    const fact = (handover: Handover, change = {}) =>
      facts(record(change, { withdrawWithheld: creator }), handover).at(-1) as Fact;
    for (const status of ['none', 'ordered', 'begun', 'cancelled'])
      expect(fact(order(status))).toEqual(fact(null));
    expect(fact(null).value).toBe(creator);
    expect(fact(order('done'))).toMatchObject({ kind: 'open', value: stranger });
    expect(fact(order('done')).says).toContain(`The wallet ${stranger} collects the tax`);
    expect(fact(null, { guardian: stranger }).says).toContain(`the guardian ${stranger}`);
    const says = (handover: Handover) => handed({ creator }, handover);
    expect([null, order('none'), order('cancelled')].map(says)).toEqual([null, null, null]);
    expect(says(order('ordered'))).toMatch(
      new RegExp(`^The creator ordered .* the address ${stranger}, not before 7 Dec 2026, `),
    );
    expect(says(order('ordered', creator, 'operator'))).toMatch(
      /^The operator .* to the creator, not before /,
    );
    expect(says(order('begun'))).toContain('cannot be cancelled');
    expect(says(order('done', creator))).toMatch(/^The tax was handed over to the creator at 7 Dec 2026, /);
  });
  it('say when the operator ends the distributions', () => {
    expect(ending({ windsDownAt: null })).toBeNull();
    expect(ending({ windsDownAt: '2026-12-07T09:00:00Z' })).toMatch(
      /ends this token’s distributions from 7 Dec 2026, /,
    );
  });
  it('names the delay of changes, and a change that waits', () => {
    const at = (settings: object, pendingSettings: object | null = null) =>
      terms({ settings: { minimumHoldersPercent: 0, ...settings }, pendingSettings } as Parameters<
        typeof terms
      >[0]);
    expect(at({ changeDelay: 'none' })).toEqual(at({}));
    const [promise, open] = at({ changeDelay: '24h' });
    expect(promise?.kind).toBe('good');
    expect(promise?.says).toContain('after 24 hours');
    expect(open?.says).toContain('24 hours after');
    const [waits] = at({ changeDelay: '7d' }, { effectiveAt: '2026-12-01T10:00:00.000Z' });
    expect(waits?.kind).toBe('open');
    expect(waits?.says).toContain('holders get less from');
  });
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
      facts(record(change, authorities), null).map((f) => f.says);
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
