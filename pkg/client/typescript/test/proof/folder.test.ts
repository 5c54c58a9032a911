import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { NoFile, Unreachable } from '../../src/proof/fault.js';
import { MAX_FILE } from '../../src/proof/files.js';
import { DirectorySource } from '../../src/proof/folder.js';
import { Memory } from '../../src/proof/memory.js';
import { verify } from '../../src/proof/verify.js';
import { bundleFolder, keptBundles } from './bundle.js';

const path = mkdtempSync(join(tmpdir(), 'tokenlaunch-'));
const folder = new DirectorySource(path);
afterAll(() => rmSync(path, { recursive: true }));

it('returns the same as the files in memory', async () => {
  const { shelf, second } = keptBundles();
  const [here, there] = [new Memory(shelf.files), new DirectorySource(bundleFolder)].map((source) =>
    verify({ source, anchor: second }),
  );
  expect((await there)?.checks).toEqual((await here)?.checks);
});

it('has files with their extensions or without', async () => {
  writeFileSync(join(path, 'bafkA.csv'), 'a');
  writeFileSync(join(path, 'bafkA'), 'other');
  writeFileSync(join(path, 'bafkB'), 'b');
  expect(await folder.file('bafkA', '.csv')).toEqual(Uint8Array.of(97));
  expect(await folder.file('bafkB', '.csv')).toEqual(Uint8Array.of(98));
  await expect(folder.file('bafkC', '.csv')).rejects.toThrow(NoFile);
});

it('tells a file that cannot be read from one that is not there', async () => {
  mkdirSync(join(path, 'bafkD.csv'));
  await expect(folder.file('bafkD', '.csv')).rejects.toThrow(Unreachable);
});

it('reads no further than a file may be long', async () => {
  writeFileSync(join(path, 'bafkE.csv'), new Uint8Array(1_000_000));
  expect((await folder.file('bafkE', '.csv')).length).toBe(MAX_FILE + 1);
});
