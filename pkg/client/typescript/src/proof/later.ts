/** What came after an anchor: one story has to be told there, too. */
import { MEMO_MARK, type Memo, memoText } from './anchor.js';
import type { Teller } from './chain.js';
import { Fault } from './fault.js';
import { history, IncompleteHistoryError, landing, read } from './history.js';
import { anchoredBy, memoOf, type Run } from './walk.js';

/** Throws when a later anchor does not continue the one before. Returns the number of later anchors. */
export async function continued({ anchor, manifest: m }: Run, node: Teller): Promise<number> {
  const { slot, failed } = await landing(node, anchor.signature, m.cut, anchoredBy(m));
  if (failed !== '') throw new Fault(`it failed: ${failed}`);
  const span = { newest: '', seen: anchor.signature, after: slot > 0n ? slot - 1n : 0n };
  const list = await history(node, m.wallet, span);
  const at = list.findIndex((l) => l.signature === anchor.signature);
  if (at < 0) throw new IncompleteHistoryError(`the node lists ${anchor.signature} at another slot`);
  // A node that tells this anchor's memo tells those of others.
  const tells = list[at]?.memo?.includes(memoText(anchor));
  const later = list.slice(at + 1).filter((l) => !tells || l.memo?.includes(MEMO_MARK));
  let last: Memo = anchor;
  let n = 0;
  for (const t of await read(node, later)) {
    const memo = memoOf(m, t);
    // The same one was sent again, because no node reported it.
    if (!memo || memoText(memo) === memoText(last)) continue;
    follows(t.signature, memo, last);
    last = memo;
    n++;
  }
  return n;
}

function follows(signature: string, memo: Memo, last: Memo): void {
  const comes = `${signature} is of proof ${memo.number} and comes after that of proof ${last.number}`;
  if (memo.number > last.number + 1n) throw new Fault(`${comes}: one was dropped`);
  if (memo.number <= last.number) throw new Fault(`${comes}: two stories were told`);
  if (memo.previous !== last.hash)
    throw new Fault(
      `${signature}, of proof ${memo.number}, continues the manifest ${memo.previous}, and proof ${last.number} has ${last.hash}: two stories were told`,
    );
}
