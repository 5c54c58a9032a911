/** A node that is not asked for more than a reader waits for. */
import type { Teller, Transaction } from './chain.js';
import { IncompleteHistoryError } from './history.js';

/** How many entries are listed for each transaction that may be read: one is in several histories. */
const LISTED = 10;

/**
 * A node that is asked for a limited number of transactions, and for each once. What would take more is
 * "not checked", as if the node did not know: a longer history is not walked, and the rest is still
 * looked up.
 */
export function atMost(node: Teller, transactions: number): Teller {
  const tooMany = () => new IncompleteHistoryError(`it takes more than ${transactions} transactions to read`);
  const known = new Map<string, Promise<Transaction | null>>();
  let listed = 0;
  return {
    page: async (address, before) => {
      if (listed > LISTED * transactions) throw tooMany();
      const page = await node.page(address, before);
      listed += page.length;
      return page;
    },
    landing: async (signature) => {
      const told = known.get(signature);
      if (told) return told;
      if (known.size >= transactions) throw tooMany();
      const asked = node.landing(signature);
      known.set(signature, asked);
      return asked;
    },
    tokenAccountsOf: (owner, mint) => node.tokenAccountsOf(owner, mint),
    withdrawer: (mint) => node.withdrawer(mint),
    ...(node.multisig ? { multisig: node.multisig.bind(node) } : {}),
    remembers: () => node.remembers(),
    expect: (more) => {
      if (more > transactions) throw tooMany();
      node.expect?.(more);
    },
  };
}
