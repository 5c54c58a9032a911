import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The limit ends what hangs and judges no speed.
  test: { environment: 'node', include: ['test/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
});
