import { sha256 } from '@noble/hashes/sha2.js';
import { describe, expect, it } from 'vitest';
import { OldProof, readMemo } from '../../src/proof/anchor.js';
import { Unreachable } from '../../src/proof/fault.js';
import { cidOf, type Source } from '../../src/proof/files.js';
import { findHolder } from '../../src/proof/find.js';
import { decodeManifest } from '../../src/proof/manifest.js';
import { type Progress, verify } from '../../src/proof/verify.js';
import { keptBundles } from './bundle.js';

const { shelf, first, second } = keptBundles();
const text = (content: Uint8Array) => new TextDecoder().decode(content);

describe('a proof that is kept', () => {
  it.each([
    ['the first run', first, 'there is none: nothing was owed', 18, []],
    [
      'the second',
      second,
      'run 152d4bda-db3d-59b9-8181-166113a13a58 left what this run began with',
      24,
      ['taken on trust: spendable'],
    ],
  ])('of %s is good', async (_, anchor, before, rows, left) => {
    const steps: Progress[] = [];
    const report = await verify({ source: shelf, anchor, progress: (p) => steps.push(p) });
    expect(report.checks.map((c) => `${c.verdict}: ${c.name}`)).toEqual([
      'proven from the files: anchor',
      'proven from the files: manifest',
      "proven from the files: anchor's accounts",
      'proven from the files: run',
      'proven from the files: snapshot',
      'proven from the files: split',
      'proven from the files: division',
      'proven from the files: conservation',
      'taken on trust: settings',
      'proven from the files: run before',
      ...left,
      'proven from the files: transactions',
      'proven from the files: rows',
      'not checked: chain',
      'taken on trust: price',
      'taken on trust: left out',
      'taken on trust: costs',
      'taken on trust: worth paying',
    ]);
    expect(report.complete).toBe(false);
    expect(report.ok).toBe(true);
    expect(report.checks.find((c) => c.name === 'run before')?.detail).toBe(before);
    expect(steps.at(-1)).toEqual({ step: 'rows', done: 0, total: rows });
  });

  it('of another run than was asked for proves nothing', async () => {
    const { mint, runId } = decodeManifest(shelf.files.get(`${manifestOf(first)}.json`) as Uint8Array);
    const good = await verify({ source: shelf, anchor: first, asked: { mint, runId } });
    expect(good.ok).toBe(true);
    const other = await verify({ source: shelf, anchor: second, asked: { mint, runId } });
    expect(other.ok).toBe(false);
    expect(other.checks.at(-1)).toMatchObject({ name: 'asked for', verdict: 'FAILED' });
  });

  it('of version 1 is told apart from what is none', () => {
    expect(() => readMemo('tld1:152d4bda-db3d-59b9-8181-166113a13a58')).toThrow(OldProof);
    expect(() => readMemo('tld3:152d4bda-db3d-59b9-8181-166113a13a58')).not.toThrow(OldProof);
  });

  it('reports when the run before is not there', async () => {
    const report = await verify({ source: shelf.with(`${manifestOf(first)}.json`, null), anchor: second });
    expect(report.ok).toBe(true);
    expect(report.checks.find((c) => c.name === 'run before')?.verdict).toBe('not checked');
  });

  it('is incomplete without any other of its files, and names that file', async () => {
    const names = [...shelf.files.keys()];
    let missing = 0;
    for (const name of names.filter((n) => n !== `${manifestOf(first)}.json`)) {
      const report = await verify({ source: shelf.with(name, null), anchor: second });
      const failed = report.checks.find((c) => c.verdict === 'FAILED');
      if (!failed) continue;
      expect(failed).toMatchObject({ missing: true, detail: expect.stringContaining(name) });
      missing++;
    }
    expect(missing).toBe(8 + 2); // its own eight; of the run before, the rows and their page
  });

  it('has no byte that can be changed, under its name or another', { timeout: 60_000 }, async () => {
    const source = shelf.with(`${manifestOf(first)}.json`, null);
    let cases = 0;
    for (const [name, content] of source.files) {
      const needed = !(await verify({ source: source.with(name, null), anchor: second })).ok;
      for (let i = cases % 149; needed && i < content.length; i += 149) {
        const changed = content.slice();
        changed[i] = (content[i] as number) ^ (1 << (i % 8));
        const under = await verify({ source: source.with(name, changed), anchor: second });
        expect(under.ok, `byte ${i} of ${name}`).toBe(false);
        const renamed = cidOf(sha256(changed)) + name.slice(59);
        const anchor = name === `${second}.tx` ? renamed.slice(0, 59) : second;
        const along = await verify({ source: source.with(name, changed, renamed), anchor });
        expect(along.ok, `byte ${i} of ${name} along with its name`).toBe(false);
        cases += 2;
      }
    }
    expect(cases).toBeGreaterThan(150);
  });

  it('is neither good nor bad when its files cannot be reached', async () => {
    const away: Source = { file: () => Promise.reject(new Unreachable('the network is away')) };
    await expect(verify({ source: away, anchor: second })).rejects.toThrow('the network is away');
    let asked = 0;
    const breaks: Source = {
      file: (cid, extension) =>
        ++asked > 5 ? Promise.reject(new Unreachable('the network went away')) : shelf.file(cid, extension),
    };
    await expect(verify({ source: breaks, anchor: second })).rejects.toThrow('the network went away');
  });
});

describe('a wallet', () => {
  it('is found with its way to the root, or with the reason why it has no share', async () => {
    const report = await verify({ source: shelf, anchor: second });
    const { manifest: m, anchor } = report;
    if (!m || !anchor) throw new Error('nothing was verified');
    let [rows, out] = [0, 0];
    for (const [name, content] of shelf.files) {
      if (!name.endsWith('.csv')) continue;
      for (const line of text(content).trim().split('\n').slice(1)) {
        const wallet = line.split(',')[line.startsWith('1') ? 0 : 1] as string;
        if (!wallet.startsWith('111')) continue;
        const holder = await findHolder(shelf, m, anchor.root, wallet);
        for (const { row, steps, size } of holder.found) {
          expect(row.owner).toBe(wallet);
          expect([size, steps.at(-1)?.hash]).toEqual([24, anchor.root]);
          rows++;
        }
        if (holder.leftOut) out++;
      }
    }
    expect([rows, out]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(Math.min(rows, out)).toBeGreaterThan(10);
    const absent = await findHolder(shelf, m, anchor.root, m.mint);
    expect(absent).toEqual({ wallet: m.mint, decimals: 6, held: false, found: [], leftOut: null });
    await expect(findHolder(shelf, m, anchor.root, 'malformed')).rejects.toThrow('is not an address');
    const row = (await findHolder(shelf, m, anchor.root, '1116GS1EeaSkLFNqZv3mEtr1AV9ew2H9RzoVEA3pe4'))
      .found[0];
    expect(row).toBeDefined();
    await expect(findHolder(shelf, m, '0'.repeat(64), row?.row.owner ?? '')).rejects.toThrow(
      'not under the root',
    );
  });
});

/** The content id of the manifest that an anchor names. */
function manifestOf(anchor: string): string {
  const memo =
    text(shelf.files.get(`${anchor}.tx`) as Uint8Array).match(/tld2:.{36}:\d+:.{64}:(.{64})/)?.[1] ?? '';
  return cidOf(Uint8Array.from(memo.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
}
