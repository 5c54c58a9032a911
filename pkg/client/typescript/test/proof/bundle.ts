import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../../src/proof/bytes.js';
import { Unreachable } from '../../src/proof/fault.js';
import type { Source } from '../../src/proof/files.js';
import { Memory } from '../../src/proof/memory.js';
import { exact } from '../../src/proof/numbers.js';
import type { Report } from '../../src/proof/report.js';
import type { ChainOf } from './ledger.js';

/** Files in memory, of which a test changes some. They are fetched by their names: it lists none. */
export class Shelf implements Source {
  constructor(
    readonly files: ReadonlyMap<string, Uint8Array>,
    readonly unreachable: readonly string[] = [],
  ) {}

  file: Source['file'] = async (cid, extension) => {
    if (this.unreachable.includes(cid + extension)) throw new Unreachable('the gateway cannot be reached');
    return new Memory(this.files).file(cid, extension);
  };

  /** The same files, except for one. */
  with(name: string, content: Uint8Array | null, as = name): Shelf {
    const files = new Map(this.files);
    files.delete(name);
    if (content) files.set(as, content);
    return new Shelf(files);
  }
}

/** What of a case is written as it is. */
interface Told {
  readonly name: string;
  readonly anchor: string;
  /** The sentence about who is left out on trust; absent if the rows do not hold. */
  readonly leftOut?: string;
  /** What a dishonest operator or node does, and Go's check that refuses it. */
  readonly forgery?: string;
  readonly refused?: string;
  /** How the node or the gateway answers, what comes of that, and the files that are not given. */
  readonly reach?: string;
  readonly outcome?: string;
  readonly unreachable?: readonly string[];
  /** The keys that the reader takes for markets. */
  readonly markets?: readonly string[];
  /** What a node tells, if one was asked. */
  readonly chain?: ChainOf;
}

/** A bundle that Go's tests have verified, and what they found. */
export interface Case extends Told {
  readonly shelf: Shelf;
  readonly checks: readonly { readonly Name: string; readonly Verdict: string; readonly Detail: string }[];
}

/** Reads what Go's tests have written: see record_test.go of package proof. */
export function readCases(path: string): readonly Case[] {
  const written = exact(readFileSync(path, 'utf8')) as {
    files: string[];
    reports: Case['checks'][];
    cases: (Told & { files: Record<string, number>; report: number })[];
  };
  const contents = written.files.map((content) => new Uint8Array(Buffer.from(content, 'base64')));
  return written.cases.map(({ files, report, ...told }) => ({
    ...told,
    shelf: new Shelf(
      new Map(Object.entries(files).map(([name, n]) => [name, contents[n] as Uint8Array])),
      told.unreachable,
    ),
    checks: written.reports[report] as Case['checks'],
  }));
}

/**
 * A report in lines that can be compared. What failed, and what a node says, is told by both in
 * their own words.
 */
export function linesOf(checks: Report['checks'] | Case['checks']): string[] {
  return checks
    .map((c) => ('Name' in c ? c : { Name: c.name as string, Verdict: c.verdict, Detail: c.detail }))
    .map((c) =>
      c.Verdict === 'FAILED' || c.Name.endsWith('on chain')
        ? `${c.Verdict}: ${c.Name}`
        : `${c.Verdict}: ${c.Name}: ${c.Detail}`,
    );
}

/** Where package proof keeps its bundles. */
export const bundleFolder = join(import.meta.dirname, '../../../../proof/testdata/bundle');

/** The bundles that package proof keeps: of two runs, the second with the first as the run before. */
export function keptBundles(): { shelf: Shelf; first: string; second: string } {
  const files = new Map(
    readdirSync(bundleFolder).map((name) => [name, new Uint8Array(readFileSync(join(bundleFolder, name)))]),
  );
  const anchorOf = (number: number) => {
    const memo = new RegExp(`tld2:[0-9a-f-]{36}:${number}:`);
    const name = [...files.keys()].find((n) => memo.test(textOf(files.get(n) as Uint8Array)));
    return name?.replace('.tx', '') ?? '';
  };
  return { shelf: new Shelf(files), first: anchorOf(1), second: anchorOf(2) };
}
