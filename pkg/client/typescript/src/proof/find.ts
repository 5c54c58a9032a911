/** Looks a wallet up in a verified proof: its rows, and what shows that they are in it. */
import { address, bytesOf, compare, hex, unhex } from './bytes.js';
import { Fault } from './fault.js';
import type { Source } from './files.js';
import { leftOutHeader, readLeftOut, readRow, rowHeader } from './held.js';
import type { Row } from './line.js';
import { isHeld, type Manifest, type Part, type Table } from './manifest.js';
import { climb, leaf, pathOf } from './merkle.js';
import { openShard, partsOf, SHARD_LINES } from './table.js';

/** One step from a row to the root, in hex. */
export interface Step {
  readonly neighbour: string;
  /** Whether the neighbour is left of what was reached so far. */
  readonly left: boolean;
  readonly hash: string;
}

/** A wallet's row in one asset, with its way to the root in the memo. */
export interface Found {
  readonly row: Row;
  readonly decimals: number;
  readonly line: string;
  readonly index: number;
  readonly size: number;
  /** The hash of the line. */
  readonly leaf: string;
  readonly steps: readonly Step[];
}

/** What a proof says of a wallet. */
export interface Holder {
  readonly wallet: string;
  /** Of the token. */
  readonly decimals: number;
  /** Whether the lesser of a balance and of `before`, that in the snapshot before, counts. */
  readonly held: boolean;
  readonly found: readonly Found[];
  /** Why it has no share; null when it is not among those who are left out. */
  readonly leftOut: { readonly balance: bigint; readonly before: bigint; readonly why: string } | null;
}

/** Looks a wallet up. A Fault when the text is no address, or the files are not what they were. */
export async function findHolder(source: Source, m: Manifest, root: string, wallet: string): Promise<Holder> {
  const key = address(wallet);
  const rows = await filesOf(m.rows, source);
  const found: Found[] = [];
  for (const [number, leg] of m.legs.entries()) {
    const at = await find(source, rows, rowHeader(m), BigInt(number), key, (line) => {
      const row = readRow(m)(line);
      return { leg: BigInt(m.legs.findIndex((l) => l.asset === row.asset)), key: row.key };
    });
    if (!at) continue;
    const path = [
      ...pathOf(at.leaves, at.line),
      ...pathOf(
        rows.map((file) => unhex(file.root, 32) as Uint8Array),
        at.file,
      ),
    ];
    const index = at.file * SHARD_LINES + at.line;
    const start = leaf(bytesOf(at.text));
    const way = climb(start, index, Number(m.rows.lines), path);
    if (!way || hex(way.root) !== root)
      throw new Fault(`the row of ${wallet} is not under the root in the memo`);
    const steps = way.steps.map((s) => ({ neighbour: hex(s.neighbour), left: s.left, hash: hex(s.hash) }));
    found.push({
      row: readRow(m)(at.text),
      decimals: Number(leg.decimals),
      line: at.text,
      index,
      size: Number(m.rows.lines),
      leaf: hex(start),
      steps,
    });
  }
  const out = await find(source, await filesOf(m.leftOut, source), leftOutHeader(m), 0n, key, (line) => ({
    leg: 0n,
    key: readLeftOut(m)(line).key,
  }));
  return {
    wallet,
    decimals: Number(m.decimals),
    held: isHeld(m),
    found,
    leftOut: out && readLeftOut(m)(out.text),
  };
}

async function filesOf(table: Table, source: Source): Promise<Part[]> {
  const files: Part[] = [];
  for await (const part of partsOf(table, source)) files.push(part);
  return files;
}

interface Place {
  readonly leg: bigint;
  readonly key: Uint8Array;
}

/** Looks a line up by its leg and owner: null when there is none. Reads one file. */
async function find(
  source: Source,
  files: readonly Part[],
  header: string,
  leg: bigint,
  key: Uint8Array,
  placeOf: (line: string) => Place,
): Promise<{ file: number; line: number; text: string; leaves: readonly Uint8Array[] } | null> {
  const before = (at: Place) => (at.leg !== leg ? at.leg < leg : compare(at.key, key) <= 0);
  const file = lastWhere(files.length, (i) => {
    const part = files[i] as Part;
    return before({ leg: part.leg, key: address(part.first) });
  });
  if (file < 0) return null;
  const shard = await openShard(source, files[file] as Part, header);
  const line = lastWhere(shard.lines.length, (i) => before(placeOf(shard.lines[i] as string)));
  const text = shard.lines[line];
  if (text === undefined) return null;
  const at = placeOf(text);
  return at.leg === leg && compare(at.key, key) === 0 ? { file, line, text, leaves: shard.leaves } : null;
}

/** The last of a number of places where something holds that holds up to a place; -1 for none. */
function lastWhere(count: number, holds: (i: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
