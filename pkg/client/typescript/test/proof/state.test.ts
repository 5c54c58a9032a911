import { describe, expect, it } from 'vitest';
import { TOKEN, Transaction } from '../../src/proof/chain.js';
import { State } from '../../src/proof/state.js';

const [OWNER, ACCOUNT] = ['owner', 'account'];

/** A transaction that changes the owner's lamports and tokens. */
function step(signature: string, lamports: [bigint, bigint], tokens: [bigint, bigint]): Transaction {
  return new Transaction({
    signature,
    slot: 7n,
    failed: '',
    fee: 0n,
    signers: 1,
    accounts: [
      { address: OWNER, before: lamports[0], after: lamports[1] },
      { address: ACCOUNT, before: 0n, after: 0n },
    ],
    tokens: [
      {
        address: ACCOUNT,
        mint: 'm',
        ownerBefore: OWNER,
        ownerAfter: OWNER,
        before: tokens[0],
        after: tokens[1],
      },
    ],
    instructions: [],
  });
}

const begin = (lamports: bigint | null = 10n, tokens: bigint | null = 0n) =>
  new State(OWNER, lamports, new Map([[ACCOUNT, tokens]]));

describe('the balances of accounts', () => {
  it('are an unbroken chain in one order of a slot, which is found', () => {
    // Lamports alone leave open which comes first; and both "c" and "b" fit after "a", of which the
    // one that is listed first leads nowhere.
    const list = [
      step('d', [10n, 9n], [8n, 3n]),
      step('c', [10n, 10n], [5n, 8n]),
      step('b', [10n, 10n], [5n, 5n]),
      step('a', [10n, 10n], [0n, 5n]),
    ];
    begin().order(list);
    expect(list.map((t) => t.signature)).toEqual(['a', 'b', 'c', 'd']);
    const state = begin();
    for (const t of list) state.follow(t);
    expect([state.lamports, state.tokens.get(ACCOUNT)]).toEqual([9n, 3n]);
  });

  it('are broken where no order fits, which stays as it was', () => {
    const list = [step('b', [10n, 9n], [5n, 8n]), step('a', [10n, 10n], [0n, 4n])];
    const state = begin();
    state.order(list);
    expect(list.map((t) => t.signature)).toEqual(['b', 'a']);
    expect(() => {
      for (const t of list) state.follow(t);
    }).toThrow('begins with 5 tokens');
  });

  it('are searched for an order no longer than a reader bears', () => {
    // Any of them fits at any place, and then the last one never does.
    const list = Array.from({ length: 40 }, (_, i) => step(`${i}`, [10n, 10n], [0n, 0n]));
    list.push(step('last', [11n, 11n], [0n, 0n]));
    begin().order(list);
    expect(list.at(-1)?.signature).toBe('last');
  });

  it('stay where a transaction names no token program, and begin where one tells of them', () => {
    const silent = (...programs: string[]) =>
      new Transaction({
        ...step('s', [10n, 10n], [0n, 0n]),
        tokens: [],
        accounts: [ACCOUNT, ...programs].map((address) => ({ address, before: 0n, after: 0n })),
      });
    const state = begin(null, 5n);
    state.follow(silent());
    expect([state.lamports, state.tokens.get(ACCOUNT)]).toEqual([null, 5n]);
    expect(() => state.follow(silent(TOKEN))).toThrow('begins with 0 tokens');
    const unknown = begin(null, null);
    unknown.follow(step('a', [3n, 4n], [5n, 6n]));
    expect([unknown.lamports, unknown.tokens.get(ACCOUNT)]).toEqual([4n, 6n]);
  });
});
