import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { picture } from '../fixtures/launch';
import { expect, test } from '../fixtures/test';

const root = join(import.meta.dirname, '../../..');

/** A page of someone else: it has a wallet of the wallet standard, and launches a token with it. */
const script = `
import { Client, keySigner, walletSigner } from 'tokenlaunch';
import { nodeAt } from 'tokenlaunch/network';

const key = keySigner(crypto.getRandomValues(new Uint8Array(32)));
const asked = [];
const wallet = {
  name: 'Extension',
  features: {
    'solana:signMessage': {
      signMessage: async ({ message }) => {
        asked.push(new TextDecoder().decode(message));
        return [{ signedMessage: message, signature: await key.signText(message) }];
      },
    },
    'solana:signTransaction': {
      signTransaction: async ({ transaction }) => {
        asked.push('a transaction');
        return [{ signedTransaction: await key.signTransaction(transaction) }];
      },
    },
  },
};

globalThis.launch = async (apiUrl, rpcUrl, picture) => {
  const node = nodeAt(rpcUrl);
  await node('requestAirdrop', [key.address, 1e9]);
  const funded = async () => (await node('getBalance', [key.address, { commitment: 'confirmed' }])).value > 0;
  while (!(await funded())) await new Promise((done) => setTimeout(done, 200));
  const began = performance.now();
  const client = new Client(apiUrl, walletSigner(wallet, { address: key.address, chains: [] }));
  const token = await client.launch({
    ...{ name: 'Their Crane', symbol: 'CRANE', decimals: 6, supply: '1000000000000000' },
    ...{ transferFeePercent: 3, picture: Uint8Array.from(atob(picture), (c) => c.charCodeAt(0)) },
  });
  return { token, asked, milliseconds: performance.now() - began };
};
`;

const folder = mkdtempSync(join(tmpdir(), 'tokenlaunch-browser-'));
test.afterAll(() => rmSync(folder, { recursive: true }));

test('the package launches a token from a page of someone else', async ({ page, config, watch }) => {
  execFileSync('sh', [join(root, 'infra/tools/pack.sh'), folder], { stdio: 'pipe' });
  const [entry, bundle] = [join(folder, 'page.mjs'), join(folder, 'page.js')];
  writeFileSync(entry, script);
  const bundler = join(root, 'pkg/client/typescript/node_modules/.bin/rolldown');
  execFileSync(bundler, [entry, '--file', bundle, '--platform', 'browser', '--minify'], { cwd: folder });
  const bytes = readFileSync(bundle);

  const server = createServer(({ url }, response) => {
    const js = url === '/page.js';
    response.setHeader('Content-Type', js ? 'text/javascript' : 'text/html');
    response.end(
      js
        ? bytes
        : '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>',
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  watch.allow(new RegExp(`^a request to another host: ${address}`));
  try {
    await page.goto(address);
    await page.waitForFunction(() => 'launch' in globalThis);
    const { token, asked, milliseconds } = await page.evaluate(
      ([apiUrl, rpcUrl, picture]) =>
        (globalThis as never as { launch: (...of: string[]) => Promise<Launched> }).launch(
          ...[apiUrl, rpcUrl, picture],
        ),
      [config.apiUrl, config.rpcUrl, readFileSync(picture, 'base64')] as const,
    );
    expect(token).toMatchObject({ name: 'Their Crane', status: 'confirmed' });
    expect(asked).toEqual([expect.stringContaining(' wants you to sign in '), 'a transaction']);
    const figures = `bundled ${bytes.length} bytes; launched in ${Math.round(milliseconds)} ms`;
    console.log(figures);
    test.info().annotations.push({ type: 'figures', description: figures });
  } finally {
    server.close();
  }
});

interface Launched {
  readonly token: { readonly name: string; readonly status: string };
  readonly asked: readonly string[];
  readonly milliseconds: number;
}
