import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { memoText, OldProof, readMemo } from '../../src/proof/anchor.js';
import { type Attestation, checkAttestation } from '../../src/proof/attest.js';
import { bytesOf, hex, unhex } from '../../src/proof/bytes.js';
import { Fault } from '../../src/proof/fault.js';
import { climb, leaf, pathOf, rootOf } from '../../src/proof/merkle.js';
import { exact } from '../../src/proof/numbers.js';
import { verify } from '../../src/proof/verify.js';
import { type Case, linesOf, readCases } from './bundle.js';
import { nodeOf } from './ledger.js';

const folder = join(import.meta.dirname, '../../../../proof/testdata/vectors');
const read = <T>(name: string) => exact(readFileSync(join(folder, name), 'utf8')) as T;
const cases = readCases(join(folder, 'proofs.json'));
const verified = (c: Case) =>
  verify({
    source: c.shelf,
    anchor: c.anchor,
    ...(c.chain ? { chain: { node: nodeOf(c.chain), markets: c.markets ?? [] } } : {}),
  });

afterEach(() => vi.unstubAllGlobals());

/** The files that third persons have to hold a verifier to. */
describe('the test vectors', () => {
  it.each(cases.map((c) => [c.forgery ?? c.name, c] as const))('of proofs: %s', async (_, c) => {
    const report = await verified(c);
    expect(linesOf(report.checks)).toEqual(linesOf(c.checks));
    expect(report.complete).toBe(c.forgery === undefined);
    expect(report.leftOnTrustWords).toBe(c.leftOut ?? '');
  });

  interface MemoVector {
    readonly what: string;
    readonly text: string;
    readonly memo: Readonly<Record<'run' | 'rows' | 'manifest' | 'settings' | 'previous', string>> & {
      readonly number: number | string;
    };
  }
  it.each(read<MemoVector[]>('memos.json').map((v) => [v.what, v] as const))('of memos: %s', (_, {
    text,
    memo,
  }) => {
    if (!memo) {
      expect(() => readMemo(text)).toThrow(Fault);
      return;
    }
    const got = readMemo(text);
    expect(memoText(got)).toBe(text);
    expect(got).toEqual({
      runId: memo.run,
      number: BigInt(memo.number),
      root: memo.rows,
      hash: memo.manifest,
      order: memo.settings,
      previous: memo.previous,
    });
  });

  it('of memos: one of version 1 is told apart', () => {
    expect(() => readMemo('tld1:x')).toThrow(OldProof);
  });

  interface TreeVector {
    readonly lines: string[];
    readonly root: string;
    readonly paths: string[][];
  }
  it.each(
    read<TreeVector[]>('trees.json').map((v) => [v.lines.length, v] as const),
  )('of trees: %d lines', (_, { lines, root, paths }) => {
    const leaves = lines.map((line) => leaf(bytesOf(line)));
    expect(hex(rootOf(leaves))).toBe(root);
    for (const [i, path] of paths.entries()) {
      expect(pathOf(leaves, i).map(hex)).toEqual(path);
      const neighbours = path.map((hash) => unhex(hash, 32) as Uint8Array);
      const top = climb(leaves[i] as Uint8Array, i, lines.length, neighbours);
      expect(hex(top?.root as Uint8Array)).toBe(root);
    }
  });

  interface AttestationVector extends Attestation {
    readonly what: string;
    readonly good: boolean;
  }
  it.each(
    read<AttestationVector[]>('attestations.json').map((v) => [v.what, v] as const),
  )('of attestations: %s', async (_, v) => {
    const report = await verified(cases[0] as Case);
    if (v.good) expect(v.text.endsWith(checkAttestation(v, report).join(',') || 'none')).toBe(true);
    else expect(() => checkAttestation(v, report)).toThrow(Fault);
  });
});
