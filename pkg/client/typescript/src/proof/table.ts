/** The lists of a proof, read as streams: a few files in memory, whatever the length. */
import { bytesOf, hex, quoted, same, textOf, unhex } from './bytes.js';
import { Fault, within } from './fault.js';
import { MAX_FILE, open, type Source } from './files.js';
import { decodePage, type Part, type Table } from './manifest.js';
import { leaf, rootOf, Tree } from './merkle.js';

/** How many lines each file of a list has, the last perhaps fewer. */
export const SHARD_LINES = 512;
/** How many files a page lists, the last perhaps fewer. */
const PAGE_SHARDS = 1024;
/** How many files are asked for ahead of the one that is read. */
const AHEAD = 6;

function hashOf(root: string): Uint8Array {
  const hash = unhex(root, 32);
  if (!hash) throw new Fault(`${root.slice(0, 70)} is not a hash`);
  return hash;
}

async function openPage(source: Source, listed: Part): Promise<readonly Part[]> {
  const wrong = (why: string): never => {
    throw new Fault(`page ${listed.cid}: ${why}`);
  };
  let files: readonly Part[];
  const content = await open(source, listed.cid, '.json');
  try {
    files = decodePage(content);
  } catch (cause) {
    throw within(`page ${listed.cid}`, cause);
  }
  const root = new Tree();
  let lines = 0n;
  for (const file of files) {
    if (file.lines === 0n || file.lines > BigInt(SHARD_LINES)) wrong(`a file of ${file.lines} lines`);
    root.add(hashOf(file.root));
    lines += file.lines;
  }
  const first = files[0];
  if (
    !first ||
    files.length > PAGE_SHARDS ||
    first.leg !== listed.leg ||
    first.first !== listed.first ||
    lines !== listed.lines ||
    hex(root.root()) !== listed.root
  )
    wrong('it is not the one that is listed: it begins elsewhere, or has other lines or another root');
  return files;
}

/** Returns the files of a list. A page whose content differs from the table ends it. */
export async function* partsOf(table: Table, source: Source): AsyncGenerator<Part> {
  for (const [i, listed] of table.pages.entries()) {
    const files = await openPage(source, listed);
    const lastPage = i === table.pages.length - 1;
    if (files.length !== PAGE_SHARDS && !lastPage)
      throw new Fault(`page ${i} of a list has ${files.length} files, and is not the last`);
    for (const [j, file] of files.entries()) {
      if (file.lines !== BigInt(SHARD_LINES) && !(lastPage && j === files.length - 1))
        throw new Fault(`a file of a list has ${file.lines} lines, and is not the last`);
      yield file;
    }
  }
}

/** The content of a list's file. */
export interface Shard {
  readonly part: Part;
  readonly lines: readonly string[];
  readonly leaves: readonly Uint8Array[];
}

/** Reads a file of a list and holds it against what its page says. */
export async function openShard(source: Source, part: Part, header: string): Promise<Shard> {
  const content = await open(source, part.cid, '.csv');
  const wrong = (why: string): never => {
    throw new Fault(`list ${part.cid}: ${why}`);
  };
  if (content.length > MAX_FILE) wrong(`${content.length} bytes, at most ${MAX_FILE}`);
  const begin = bytesOf(`${header}\n`);
  if (!same(content.subarray(0, begin.length), begin) || content[content.length - 1] !== 10)
    wrong('it does not begin with its header, or its last line has no end');
  const leaves: Uint8Array[] = [];
  for (let from = begin.length; from < content.length; ) {
    const end = content.indexOf(10, from);
    leaves.push(leaf(content.subarray(from, end)));
    from = end + 1;
  }
  if (BigInt(leaves.length) !== part.lines)
    wrong(`it has ${leaves.length} lines and should have ${part.lines}`);
  const root = hex(rootOf(leaves));
  if (root !== part.root) wrong(`its root is ${root} and should be ${part.root}`);
  return { part, lines: textOf(content.subarray(begin.length)).split('\n').slice(0, leaves.length), leaves };
}

interface Opened {
  readonly begins: bigint;
  readonly shard: Promise<Shard>;
}

/** The place of a line: its leg and its owner. */
interface Place {
  readonly leg: bigint;
  readonly owner: string;
}

/** Reads a line of a list. Those of transactions are no one's. */
export interface Lines<T> {
  (line: string): T;
  readonly place?: (value: T) => Place;
}

const NOWHERE: Place = { leg: 0n, owner: '' };

/**
 * Reads a list's lines from one on, each parsed. It ends with a fault unless the list is, from
 * its beginning to its end, what the table says; a walk that does not begin with the first
 * file does not see the root of all. Files begin where their page says: by that `find` looks.
 */
export async function* walk<T>(
  source: Source,
  table: Table,
  header: string,
  from: bigint,
  parse: Lines<T>,
): AsyncGenerator<T> {
  const root = new Tree();
  let lines = 0n;
  const waiting: Opened[] = [];
  let failed: unknown = null; // told after the lines before it
  const parts = partsOf(table, source);
  for (;;) {
    let part: Part | null;
    try {
      const next = await parts.next();
      part = next.done ? null : next.value;
    } catch (cause) {
      failed = cause;
      break;
    }
    if (!part) break;
    root.add(hashOf(part.root));
    const begins = lines;
    lines += part.lines;
    if (lines <= from) continue;
    const shard = openShard(source, part, header);
    shard.catch(() => {}); // told when its turn comes, if it does
    waiting.push({ begins, shard });
    if (waiting.length > AHEAD) yield* linesOf(waiting.shift() as Opened, from, parse);
  }
  for (const opened of waiting) yield* linesOf(opened, from, parse);
  if (failed) throw failed;
  if (lines !== table.lines || hex(root.root()) !== table.root)
    throw new Fault(
      `a list has ${lines} lines with the root ${hex(root.root())}, and should have ${table.lines} with ${table.root}`,
    );
}

/** Throws unless a file begins where its page says. */
function beginsThere(part: Part, { leg, owner }: Place): void {
  if (leg !== part.leg || owner !== part.first)
    throw new Fault(
      `list ${part.cid} begins in leg ${leg} with "${owner}", not in leg ${part.leg} with ${quoted(part.first)}`,
    );
}

async function* linesOf<T>(opened: Opened, from: bigint, parse: Lines<T>): AsyncGenerator<T> {
  const { lines, part } = await opened.shard;
  let number = opened.begins;
  for (const line of lines) {
    if (number >= from) {
      let value: T;
      try {
        value = parse(line);
      } catch (cause) {
        throw within(`line ${number}`, cause);
      }
      if (number === opened.begins) beginsThere(part, parse.place?.(value) ?? NOWHERE);
      yield value;
    }
    number++;
  }
}
