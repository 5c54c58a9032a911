import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Memory } from '../../src/proof/memory.js';
import type { Report } from '../../src/proof/report.js';
import type { Landed } from './ledger.js';

/** Files in memory, of which a test changes some. */
export class Shelf extends Memory {
  /** The same files, but for one. */
  with(name: string, content: Uint8Array | null, as = name): Shelf {
    const files = new Map(this.files);
    files.delete(name);
    if (content) files.set(as, content);
    return new Shelf(files);
  }
}

/** A bundle that Go's tests have verified, and what they found. */
export interface Case {
  readonly name: string;
  readonly anchor: string;
  readonly shelf: Shelf;
  readonly checks: readonly { readonly Name: string; readonly Verdict: string; readonly Detail: string }[];
  /** What a node said, if one was asked. */
  readonly chain?: {
    readonly withdrawer: string;
    readonly transactions: { readonly [signature: string]: Landed };
  };
}

/** Reads what Go's tests have written: see record_test.go of package proof. */
export function readCases(path: string): readonly Case[] {
  const written = JSON.parse(readFileSync(path, 'utf8')) as {
    files: string[];
    reports: Case['checks'][];
    cases: {
      name: string;
      anchor: string;
      files: Record<string, number>;
      report: number;
      chain?: Case['chain'];
    }[];
  };
  const files = written.files.map((content) => new Uint8Array(Buffer.from(content, 'base64')));
  return written.cases.map((c) => ({
    name: c.name,
    anchor: c.anchor,
    shelf: new Shelf(new Map(Object.entries(c.files).map(([name, n]) => [name, files[n] as Uint8Array]))),
    checks: written.reports[c.report] as Case['checks'],
    ...(c.chain ? { chain: c.chain } : {}),
  }));
}

/**
 * A report in lines that can be compared: what failed, and what a node says, is told by both in
 * their own words. A browser cannot list a folder, so "nothing else" is left out.
 */
export function linesOf(checks: Report['checks'] | Case['checks']): string[] {
  return checks
    .map((c) =>
      'Name' in c ? c : { Name: c.name as string, Verdict: c.verdict as string, Detail: c.detail },
    )
    .filter((c) => c.Name !== 'nothing else')
    .map(
      (c) =>
        `${c.Verdict}: ${c.Name}${c.Verdict === 'FAILED' || c.Name.endsWith('on chain') ? '' : `: ${c.Detail}`}`,
    );
}

/** Where package proof keeps its bundles. */
export const bundleFolder = join(import.meta.dirname, '../../../../proof/testdata/bundle');

/** The bundles that package proof keeps: of two runs, the second with the first as the run before. */
export function keptBundles(): { shelf: Shelf; first: string; second: string } {
  const files = new Map(
    readdirSync(bundleFolder).map((name) => [name, new Uint8Array(readFileSync(join(bundleFolder, name)))]),
  );
  return {
    shelf: new Shelf(files),
    first: 'bafkreid6sfpd7akkfsoyqdvzwaqru27xwqq5ts53e5trfcknfbexlfhbje',
    second: 'bafkreibki54tvtqt7h5vzuyhudbzqv2gksu7qtmycinzmq4xtiejbsizwe',
  };
}
