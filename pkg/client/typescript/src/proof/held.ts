/**
 * The reward basis "held": the lesser of a holder's balances in this snapshot and in the one before
 * counts. Lists have what each owner held before, and the proof that has that snapshot is named.
 */
import { compare } from './bytes.js';
import { Fault, NoFile, type Rules } from './fault.js';
import type { Source } from './files.js';
import {
  HELD_LEFT_OUT_HEADER,
  HELD_ROW_HEADER,
  LEFT_OUT_HEADER,
  type LeftOut,
  parseLeftOut,
  parseRow,
  ROW_HEADER,
  type Row,
} from './line.js';
import { isDistribution, isHeld, type Manifest, readManifest } from './manifest.js';
import { Ordered } from './ordered.js';
import type { Report } from './report.js';
import { type Lines, walk } from './table.js';

/** How rows are written, and read. */
export const rowHeader = (m: Manifest): string => (isHeld(m) ? HELD_ROW_HEADER : ROW_HEADER);
export const readRow = (m: Manifest, known?: ReadonlyMap<string, unknown>): Lines<Row> =>
  Object.assign((line: string) => parseRow(line, known, isHeld(m)), {
    place: ({ asset, owner }: Row) => ({
      leg: BigInt(
        Math.max(
          0,
          m.legs.findIndex((l) => l.asset === asset),
        ),
      ),
      owner,
    }),
  });

/** How those are written who are left out, and read. */
export const leftOutHeader = (m: Manifest): string => (isHeld(m) ? HELD_LEFT_OUT_HEADER : LEFT_OUT_HEADER);
export const readLeftOut = (m: Manifest): Lines<LeftOut> =>
  Object.assign((line: string) => parseLeftOut(line, isHeld(m)), {
    place: ({ owner }: LeftOut) => ({ leg: 0n, owner }),
  });

/** The snapshot before is there exactly when the settings ask for it, and can be the one before. */
export function checkHeld(m: Manifest, r: Rules): void {
  const { held: h, eligible, chainSlot } = m.snapshot;
  const basis = m.settings.rewardBasis;
  const want = basis === 'held' && isDistribution(m);
  r.hold(
    want === isHeld(m),
    () => `the reward basis is "${basis || 'snapshot'}", and what counts follows another one`,
  );
  if (!h) return;
  r.hold(
    h.weight <= eligible.balance && h.weight > 0n === eligible.owners > 0n,
    () => `of ${eligible.balance} that ${eligible.owners} owners have, ${h.weight} count`,
  );
  const b = h.before;
  if (!b) {
    r.hold(
      m.previous === '' && h.weight === 0n,
      () => `no snapshot before is named, and there is one, or ${h.weight} count without it`,
    );
    return;
  }
  r.hold(
    b.number > 0n &&
      b.number < m.number &&
      (b.number + 1n === m.number) === (b.manifest === m.previous) &&
      b.chainSlot > 0n &&
      b.chainSlot < chainSlot,
    () => `the snapshot before is said to be of proof ${b.number}, ${b.manifest}, at slot ${b.chainSlot}`,
  );
}

/** A proof that has a snapshot, and its content id. */
interface Snapshotted {
  readonly manifest: Manifest;
  readonly cid: string;
}

/** The last proof before that has a snapshot, for claims have none; null when there is none. */
export async function snapshotBefore(
  source: Source,
  m: Manifest,
  previous: Manifest,
): Promise<Snapshotted | null> {
  let at: Snapshotted = { manifest: previous, cid: m.previous };
  while (!isDistribution(at.manifest)) {
    const cid = at.manifest.previous;
    if (cid === '') return null;
    const before = await readManifest(source, cid);
    if (before.number >= at.manifest.number)
      throw new Fault(`proof ${at.manifest.number} comes after proof ${before.number}`);
    at = { manifest: before, cid };
  }
  return at;
}

/** Holds what owners are said to have held before against the proof that has that snapshot. */
export async function checkHeldBefore(
  source: Source,
  report: Report,
  m: Manifest,
  previous: Manifest | null,
): Promise<void> {
  if (!m.snapshot.held) return;
  const name = 'held before';
  const named = m.snapshot.held.before;
  if (!named) {
    await report.note(name, async () => {
      await checkThen(source, m, null);
      return 'there is no snapshot before, so nothing counts yet';
    });
    return;
  }
  let [missing, failed]: [boolean, unknown] = [!previous, null];
  try {
    if (previous) {
      const before = await snapshotBefore(source, m, previous);
      checkNamed(named, before);
      await checkThen(source, m, before.manifest);
    }
  } catch (cause) {
    if (cause instanceof NoFile) missing = true;
    else failed = cause;
  }
  if (missing)
    report.skip(
      name,
      'the files of the snapshot before are not here, so what owners held then is taken as it is said',
    );
  else
    await report.note(name, () => {
      if (failed) throw failed;
      return `each owner's balance before equals the snapshot of proof ${named.number}`;
    });
}

type Named = NonNullable<NonNullable<Manifest['snapshot']['held']>['before']>;

function checkNamed(named: Named, before: Snapshotted | null): asserts before is Snapshotted {
  if (!before) throw new Fault('no proof before has a snapshot');
  const { runId, number, snapshot } = before.manifest;
  if (
    named.runId !== runId ||
    named.number !== number ||
    named.manifest !== before.cid ||
    named.chainSlot !== snapshot.chainSlot
  )
    throw new Fault(
      `the snapshot before is of proof ${number}, ${before.cid}, at slot ${snapshot.chainSlot}, and this proof names ${named.number}, ${named.manifest}, at slot ${named.chainSlot}`,
    );
}

/** Every owner held in the snapshot before what is said, and nothing when there was none. */
async function checkThen(source: Source, m: Manifest, before: Manifest | null): Promise<void> {
  const then = before ? new Ordered(holders(source, before)) : null;
  for await (const now of holders(source, m)) {
    const held = then ? await heldBy(then, now.key) : 0n;
    if (now.before !== held)
      throw new Fault(`${now.owner} is said to have held ${now.before} before, and held ${held}`);
  }
}

interface Holding {
  readonly owner: string;
  readonly key: Uint8Array;
  readonly balance: bigint;
  readonly before: bigint;
}

/** Passes a snapshot's owners up to one, and returns that owner's balance. */
async function heldBy(then: Ordered<Holding>, key: Uint8Array): Promise<bigint> {
  for (;;) {
    const next = await then.peek();
    const order = next ? compare(next.key, key) : 1;
    if (!next || order > 0) return 0n;
    then.drop();
    if (order === 0) return next.balance;
  }
}

/** All owners of a snapshot, in order: those who share, and those who are left out. */
async function* holders(source: Source, m: Manifest): AsyncGenerator<Holding> {
  const [leg] = m.legs;
  if (!leg) throw new Fault('there is no leg');
  const out = new Ordered(walk(source, m.leftOut, leftOutHeader(m), 0n, readLeftOut(m)));
  let number = 0n;
  for await (const row of walk(source, m.rows, rowHeader(m), 0n, readRow(m))) {
    if (number++ === leg.rows) break;
    if (row.balance === 0n) continue;
    for (let left = await out.peek(); left && compare(left.key, row.key) < 0; left = await out.peek()) {
      out.drop();
      yield left;
    }
    yield row;
  }
  for (let left = await out.take(); left; left = await out.take()) yield left;
}
