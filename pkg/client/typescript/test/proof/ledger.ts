import { base64 } from '@scure/base';
import { vi } from 'vitest';
import { address, join } from '../../src/proof/bytes.js';
import { TOKEN_2022 } from '../../src/proof/chain.js';
import { ZERO } from '../../src/proof/line.js';
import { type Asking, Node } from '../../src/proof/node.js';
import { whole } from '../../src/proof/numbers.js';

/** A number of 64 bits: a text when it has many digits; see `exact`. */
export type Amount = number | string;

/** A transaction as Go's tests write it: see record_test.go of package proof. */
export interface TransactionOf {
  readonly signature: string;
  slot: Amount;
  failed: string;
  fee: Amount;
  signers: number;
  readonly accounts: { address: string; before: Amount; after: Amount }[];
  readonly tokens: {
    address: string;
    mint: string;
    ownerBefore: string;
    ownerAfter: string;
    before: Amount;
    after: Amount;
  }[];
  readonly instructions: {
    program: string;
    accounts: string[];
    /** In base58. */
    data: string;
    top: number;
    inner: boolean;
  }[];
}

/** A chain: what landed, in its order, and how the node lies about it. */
export interface ChainOf {
  withdrawer: string;
  /** The account of the members of a token with a guardian. */
  members?: { account: string; required: number; list: string[] };
  lie?: string;
  /** The first and the newest slot that the node knows. */
  first?: Amount;
  newest?: Amount;
  transactions: TransactionOf[];
}

/** A page of an address's history, the newest first. */
function page(
  { transactions, lie }: ChainOf,
  address: string,
  { before, limit = 1000 }: { before?: string; limit?: number },
): { signature: string; slot: Amount }[] {
  const list: { signature: string; slot: Amount }[] = [];
  let older = before === undefined || lie === 'endless';
  for (const { signature, slot, accounts } of transactions.toReversed()) {
    if (older && list.length < limit && accounts.some((a) => a.address === address))
      list.push({ signature, slot });
    older ||= signature === before;
  }
  if (lie === 'twice' && list[0]) return [list[0], ...list];
  if (lie === 'reversed') return list.reverse();
  if (lie === 'nothing older') return [];
  if (lie === 'shuffled') return list.reverse().sort((a, b) => Number(whole(b.slot) - whole(a.slot)));
  return list;
}

/** A transaction in the node's JSON; of version 1, in which instructions ask for no fee. */
export function answer(t: TransactionOf, version: number | 'legacy' = 1): unknown {
  const keys = t.accounts.map((a) => a.address);
  const told = ({ program, accounts, data }: TransactionOf['instructions'][number]) => ({
    programIdIndex: keys.indexOf(program),
    accounts: accounts.map((a) => keys.indexOf(a)),
    data,
  });
  const tokens = (owner: 'ownerBefore' | 'ownerAfter', amount: 'before' | 'after') =>
    t.tokens
      .filter((a) => a[owner] !== ZERO)
      .map((a) => ({
        accountIndex: keys.indexOf(a.address),
        mint: a.mint,
        owner: a[owner],
        uiTokenAmount: { amount: String(a[amount]) },
      }));
  return {
    slot: t.slot,
    version,
    transaction: {
      message: {
        header: { numRequiredSignatures: t.signers },
        accountKeys: keys,
        instructions: t.instructions.filter((i) => !i.inner).map(told),
      },
    },
    meta: {
      err: t.failed === '' ? null : t.failed,
      fee: t.fee,
      preBalances: t.accounts.map((a) => a.before),
      postBalances: t.accounts.map((a) => a.after),
      preTokenBalances: tokens('ownerBefore', 'before'),
      postTokenBalances: tokens('ownerAfter', 'after'),
      innerInstructions: t.instructions
        .filter((i) => i.inner)
        .map((i) => ({ index: i.top, instructions: [told(i)] })),
    },
  };
}

/** The mint's account, with who may withdraw the tax. */
function mintAccount(withdrawer: string): unknown {
  const fee = new Uint8Array(108);
  fee.set(address(withdrawer), 32);
  const data = join(new Uint8Array(165), Uint8Array.of(1, 1, 0, 108, 0), fee);
  return { value: { owner: TOKEN_2022, data: [base64.encode(data), 'base64'] } };
}

/** The members' account: m, n, initialized, and the places of eleven members. */
function membersAccount({ required, list }: NonNullable<ChainOf['members']>): unknown {
  const data = new Uint8Array(3 + 11 * 32);
  data.set([required, list.length, 1]);
  for (const [n, key] of list.entries()) data.set(address(key), 3 + 32 * n);
  return { value: { owner: TOKEN_2022, data: [base64.encode(data), 'base64'] } };
}

/** An owner's token accounts of a mint after all that landed. */
function tokenAccounts({ transactions }: ChainOf, owner: string, mint: string): unknown {
  const now = new Map<string, string>();
  for (const t of transactions) for (const a of t.tokens) now.set(a.address, `${a.ownerAfter} ${a.mint}`);
  const list = [...now].filter(([, of]) => of === `${owner} ${mint}`);
  return { value: list.map(([pubkey]) => ({ pubkey })) };
}

type Params = [string, { mint?: string; before?: string; limit?: number }];

/** What a node answers of a chain that it remembers from a slot on. */
export function result(
  chain: ChainOf,
  method: string,
  [first, options = {}]: Params,
  remembers: Amount | null = chain.first ?? 0,
): unknown {
  switch (method) {
    case 'getAccountInfo':
      return chain.members && chain.members.account === first
        ? membersAccount(chain.members)
        : mintAccount(chain.withdrawer);
    case 'getFirstAvailableBlock':
      return remembers;
    case 'getSlot':
      return chain.newest ?? String(2n ** 64n - 1n);
    case 'getSignaturesForAddress':
      return page(chain, first, options);
    case 'getTokenAccountsByOwner':
      return tokenAccounts(chain, first, options.mint ?? '');
    case 'getTransaction': {
      const found = chain.transactions.find((t) => t.signature === first);
      return found ? answer(found) : null;
    }
  }
  throw new Error(`nothing asks for ${method}`);
}

/** A node that answers so, in place of the network; it is asked again without a pause. */
export function stub(
  respond: (method: string, params: Params) => Response | Promise<Response>,
  asking: Asking = {},
): Node {
  vi.stubGlobal('fetch', async (_: string, init: { body: string }) => {
    const { method, params } = JSON.parse(init.body) as { method: string; params: Params };
    return respond(method, params);
  });
  return new Node('http://node.example', { sleep: async () => {}, ...asking });
}

/** What a node says, as it says it. */
export const says = (told: unknown): Response =>
  new Response(JSON.stringify({ jsonrpc: '2.0', id: 1, result: told }));

/** A node that tells of a chain, in place of the network. */
export const nodeOf = (chain: ChainOf): Node =>
  stub((method, params) => {
    if (chain.lie === 'dead') throw new TypeError('fetch failed');
    if (chain.lie === 'slow') throw new DOMException('the time is over', 'TimeoutError');
    return says(result(chain, method, params));
  });
