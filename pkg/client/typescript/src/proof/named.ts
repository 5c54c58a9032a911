/** The list of the transactions that a run has landed. */
import { Fault, NoFile, within } from './fault.js';
import type { Source } from './files.js';
import { type Purpose, parseTransaction, TRANSACTION_HEADER } from './line.js';
import { type Manifest, readManifest } from './manifest.js';
import type { Report } from './report.js';
import { walk } from './table.js';

/** What the list says, as far as it was read. */
export interface Named {
  /** The signatures of the payments, and whether a row has each. */
  readonly pays: Map<string, boolean>;
  /** The slots of those that landed before the books of the run before were closed. */
  readonly late: Map<string, bigint>;
  /** The signature of the anchor of the run before; empty for none. */
  previousAnchor: string;
}

/** Purposes of what a run does once it is known who shares. */
export const SHARING: readonly Purpose[] = ['burn', 'exchange', 'fuel', 'creator', 'pay'];

const listed = (m: Manifest, source: Source) =>
  walk(source, m.transactions, TRANSACTION_HEADER, 0n, parseTransaction);

/** Reads the list into `named`: each transaction once, at its time. */
export async function checkTransactions(
  source: Source,
  m: Manifest,
  previous: Manifest | null,
  report: Report,
  named: Named,
): Promise<void> {
  const seen = new Map<string, Purpose>();
  // Without the run before it is not known which payments are late.
  const known = (previous !== null) === (m.previous !== '');
  for await (const { purpose, signature, slot } of listed(m, source)) {
    if (seen.has(signature)) throw new Fault(`${signature} is named twice`);
    seen.set(signature, purpose);
    const late = previous !== null && slot <= previous.cut;
    if (slot > m.cut)
      throw new Fault(`${signature} landed at slot ${slot}, and the books are closed at slot ${m.cut}`);
    if (late && purpose !== 'pay')
      throw new Fault(`${signature} landed at slot ${slot}, before the books of the run before were closed`);
    if (SHARING.includes(purpose) && !late && known && slot < m.snapshot.chainSlot)
      throw new Fault(
        `${purpose}, ${signature}, landed at slot ${slot}, and who shares was chosen later, at slot ${m.snapshot.chainSlot}`,
      );
    // Others are it, sent again.
    if (purpose === 'anchor' && named.previousAnchor === '') named.previousAnchor = signature;
    if (purpose !== 'pay') continue;
    named.pays.set(signature, false);
    if (late) named.late.set(signature, slot);
  }
  if ((named.previousAnchor === '') !== (m.previous === ''))
    throw new Fault('the anchor before is not named, or there is none before');
  for (const l of m.legs)
    for (const { signature } of l.creators)
      if (signature !== '' && seen.get(signature) !== 'creator')
        throw new Fault(`the creator was paid by ${signature}, which is not named as that`);
  if (previous) await once(source, previous, report, named.late);
}

/**
 * Throws when a late payment is named in an earlier proof: then it was for what was owed there. No
 * proof names what landed after its cut, so only those are read whose cut is later.
 */
async function once(
  source: Source,
  previous: Manifest,
  report: Report,
  late: ReadonlyMap<string, bigint>,
): Promise<void> {
  if (late.size === 0) return;
  const oldest = [...late.values()].reduce((a, b) => (a < b ? a : b));
  try {
    for (let before = previous; oldest <= before.cut; before = await readManifest(source, before.previous)) {
      await apart(source, before, late);
      if (before.previous === '') return;
    }
  } catch (cause) {
    if (!(cause instanceof NoFile)) throw cause;
    report.skip(
      'late payments',
      'the files of earlier runs are not here, so whether those named a late payment, too, is not known',
    );
  }
}

/** Throws when a run names one of these. */
async function apart(source: Source, m: Manifest, late: ReadonlyMap<string, unknown>): Promise<void> {
  const list = listed(m, source);
  for (;;) {
    const next = await list.next().catch((cause: unknown) => {
      throw within(`the run ${m.runId}`, cause);
    });
    if (next.done) return;
    const { signature } = next.value;
    if (late.has(signature))
      throw new Fault(`${signature} is named as a late payment, and is named in the run ${m.runId} before`);
  }
}
