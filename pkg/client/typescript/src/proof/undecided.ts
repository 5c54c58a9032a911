/** Transactions that the wallet signed and that the proof does not name. */
import type { Payment } from './books.js';
import { gain, loss, type Transaction } from './chain.js';
import { Fault, within } from './fault.js';
import type { Judge } from './judge.js';
import { type Purpose, SOL } from './line.js';
import type { Manifest } from './manifest.js';

const PURPOSES: readonly Purpose[] = ['setup', 'collect', 'burn', 'exchange', 'void', 'return', 'anchor'];

/**
 * Judges one where the books say that something is undecided: it has to be what one of the purposes
 * needs. A payment goes to those for whom the rows reserve at least that much. Where an adjustment
 * went out, the service's word explains it, and it may have paid anyone.
 */
export function judgeLost(m: Manifest, j: Judge, t: Transaction): void {
  const scratch = j.scratch();
  for (const purpose of PURPOSES) {
    try {
      scratch.act(purpose, t);
      j.unlisted.push(...scratch.unlisted);
      return;
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause;
    }
  }
  const adjusted = m.statements.some((s) => s.out.some((e) => e.name === 'adjustment'));
  try {
    if (adjusted)
      j.custody.paying(() => true, true).effects('pay', t.instructions, (account) => t.tokenOwner(account));
    else scratch.scratch(new Map([[t.signature, reservedPayments(j, t)]])).act('pay', t);
  } catch (cause) {
    throw within('the proof does not name it, and it is nothing that can be undecided', cause);
  }
}

/** The payments to those for whom something is reserved; counts them as made. */
function reservedPayments(j: Judge, t: Transaction): readonly Payment[] {
  const list: Payment[] = [];
  let received = 0n;
  for (const to of j.reserved) {
    const { owner, asset } = to;
    const got = gain(t.change(owner, asset));
    if (got === 0n) continue;
    if (got > to.amount)
      throw new Fault(`${owner} received ${got} of ${asset}, and ${to.amount} are reserved`);
    to.amount -= got;
    received += got;
    list.push({ owner, asset, paid: got, received: got, charged: false });
  }
  const [first] = list;
  if (!first) throw new Fault('it pays none for whom something is reserved');
  if (first.asset !== SOL) {
    const went = loss(j.change(t, first.asset));
    if (went > received) first.paid += went - received; // its tax
  }
  return list;
}
