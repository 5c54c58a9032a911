import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verify } from '../src/proof/verify.js';
import { keptBundles, type Shelf } from './proof/bundle.js';

const SLOW = 600_000;
const root = join(import.meta.dirname, '..');
const modules = join(root, 'node_modules');
const folder = mkdtempSync(join(tmpdir(), 'tokenlaunch-'));

function run(command: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
}

function done(command: string, ...args: string[]): void {
  const { status, stdout, stderr } = run(command, ...args);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
}

beforeAll(() => {
  done('sh', join(root, '../../../infra/tools/pack.sh'), folder);
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const example = /## Verify a proof.*?```js\n(.*?)```/s.exec(readme)?.[1] ?? '';
  for (const name of ['example.mjs', 'example.mts']) writeFileSync(join(folder, name), example);
  // The others go on from each other: infra/e2e runs them.
  const blocks = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, block]) => block);
  writeFileSync(join(folder, 'launch.mts'), blocks.slice(0, -1).join('\n'));
}, SLOW);
afterAll(() => rmSync(folder, { recursive: true }));

describe('the package, installed from its tarball', { timeout: SLOW }, () => {
  const { shelf, second } = keptBundles();
  it('verifies a proof with the lines of the README', async () => {
    const files = join(folder, 'files');
    mkdirSync(files);
    for (const name of await needed(shelf, second))
      writeFileSync(join(files, name), shelf.files.get(name) as Uint8Array);
    const { status, stdout, stderr } = run(process.execPath, 'example.mjs', files, second);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^proven from the files: rows: 24 rows have the root in the memo/m);
    expect(stdout).toContain('This is not complete');
  });

  it('names the failed check', () => {
    const { status, stdout } = run(process.execPath, 'example.mjs', root, second);
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: `FAILED: anchor: ${second}.tx: no such file\n`,
    });
  });

  it('has types', () => {
    writeFileSync(join(folder, 'wrong.mts'), "import { verify } from 'tokenlaunch/proof';\nverify({});\n");
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'];
    const types = ['--types', 'node', '--typeRoots', join(modules, '@types')];
    const { stdout } = run(
      join(modules, '.bin/tsc'),
      ...options,
      ...types,
      'example.mts',
      'launch.mts',
      'wrong.mts',
    );
    expect(stdout.match(/^.*error.*$/gm)).toEqual([expect.stringContaining('wrong.mts(2,8): error TS2345')]);
  });
});

/** The names of the files that a verification reads. */
async function needed(shelf: Shelf, anchor: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  await verify({
    source: {
      file: (cid, extension) => {
        names.add(cid + extension);
        return shelf.file(cid, extension);
      },
    },
    anchor,
  });
  return names;
}
