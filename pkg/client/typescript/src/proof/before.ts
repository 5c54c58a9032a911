/** What a run took over from the one before it. */
import { u64 } from './allocation.js';
import { Fault, NoFile, Rules } from './fault.js';
import type { Source } from './files.js';
import { type Manifest, readManifest } from './manifest.js';
import type { Report } from './report.js';

/** Checks what the run took over from the one before, and gives that one where it holds. */
export async function runBefore(source: Source, report: Report, m: Manifest): Promise<Manifest | null> {
  if (m.previous === '') {
    await report.note('run before', () => {
      checkFirst(m);
      return 'there is none: nothing was owed';
    });
    return null;
  }
  let previous: Manifest | Fault;
  try {
    previous = await readManifest(source, m.previous);
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause;
    previous = cause;
  }
  if (previous instanceof NoFile) {
    report.skip('run before', 'its files are not here, so what was owed before is taken as it is said');
    return null;
  }
  const found = previous;
  const good = await report.note('run before', () => {
    if (found instanceof Fault) throw found;
    checkAfter(m, found);
    return `run ${found.runId} left what this run began with`;
  });
  return good && !(found instanceof Fault) ? found : null;
}

/** Nothing is owed from before when there was no run before. */
function checkFirst(m: Manifest): void {
  for (const l of m.legs) {
    if (l.sums.owed > 0n || l.creator.owed > 0n || l.remainderIn > 0n)
      throw new Fault(`there was no run before, and ${l.asset} is owed or left over`);
  }
  if (m.split.unsold > 0n) throw new Fault(`there was no run before, and ${m.split.unsold} are unsold`);
}

/** The run begins with what the one before has left. */
function checkAfter(m: Manifest, previous: Manifest): void {
  const r = new Rules();
  const [then, now] = [previous.slot, m.slot];
  const earlier = then.seconds < now.seconds || (then.seconds === now.seconds && then.nanos < now.nanos);
  r.hold(
    previous.mint === m.mint && earlier,
    () => `it is run ${previous.runId} of ${previous.mint} at ${previous.slot.written}`,
  );
  r.hold(
    previous.split.unsoldAfter === m.split.unsold,
    () => `it left ${previous.split.unsoldAfter} unsold, and this run began with ${m.split.unsold}`,
  );
  const legs = new Map(m.legs.map((l) => [l.asset, l]));
  for (const l of previous.legs) {
    const taken = legs.get(l.asset);
    legs.delete(l.asset);
    const [owed, creator, over] = [
      taken?.sums.owed ?? 0n,
      taken?.creator.owed ?? 0n,
      taken?.remainderIn ?? 0n,
    ];
    // What is reserved for the creator may be reckoned apart.
    const creatorHolds =
      creator === l.creator.carried || creator === u64(l.creator.carried - l.creator.reserved);
    r.hold(
      l.sums.carried === owed && creatorHolds && l.remainderOut === over,
      () =>
        `it left ${l.sums.carried} ${l.asset} owed, ${l.creator.carried} to the creator and ${l.remainderOut} over; this run began with ${owed}, ${creator} and ${over}`,
    );
  }
  for (const l of legs.values())
    r.hold(
      l.sums.owed === 0n && l.creator.owed === 0n && l.remainderIn === 0n,
      () => `it left nothing of ${l.asset}, and this run began with some`,
    );
  for (const before of previous.statements)
    for (const after of m.statements)
      r.hold(
        before.asset !== after.asset || before.closing === after.opening,
        () => `it closed with ${before.closing} ${after.asset}, and this run opened with ${after.opening}`,
      );
  r.end();
}
