import { defineConfig } from 'vitest/config';
import client from '../../../client/typescript/package.json' with { type: 'json' };
import { NOTICES, notices } from './notices.ts';
import { schemas } from './schemas.ts';

// The API's routes that the page calls, for `npm run dev`: API=http://localhost:8080 is `make run`.
const api = process.env.API ?? 'http://localhost:8080';
const routes = [
  'auth',
  'tokens',
  'distribution',
  'holders',
  'burns',
  'dex',
  'launchpad',
  'featured',
  'webhooks',
  'openapi.json',
  'status',
  'health',
];

export default defineConfig({
  base: '/',
  plugins: [schemas(), notices()],
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    // The Go server reads it to write the page's shell; see pkg/web/page.
    manifest: 'manifest.json',
    license: { fileName: NOTICES },
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // Modules that three parts or more use are one file. By default each would be a file for each
    // set of parts that use it, and a file of some 500 bytes costs as much again in headers.
    rolldownOptions: {
      input: 'src/main.tsx',
      output: {
        codeSplitting: { groups: [{ name: 'shared', test: /src[\\/](ui|api|form)[\\/]/, minShareCount: 3 }] },
      },
    },
  },
  worker: { format: 'es' },
  // The client's package is built from its sources, which tsconfig.json names; what it depends on
  // comes out of the page's own lock file.
  resolve: { tsconfigPaths: true, dedupe: Object.keys(client.dependencies) },
  server: { host: '127.0.0.1', proxy: Object.fromEntries(routes.map((r) => [`^/${r}([/?]|$)`, api])) },
  test: {
    environment: 'happy-dom',
    include: ['test/**/*.test.{ts,tsx}'],
    setupFiles: 'test/setup.ts',
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
