import { defineConfig, devices } from '@playwright/test';

// The ignored folder of results, traces of failures and screenshots, next to the built files.
const out = '../../.build/browser';

/** By night each state is viewed in every way, and a spec that fails is not repeated. */
export const nightly = process.env.NIGHTLY === '1';

/** What the browser does not do: call home, or anything else that is not the page's. */
const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const desktop = { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } };
const phone = { ...devices['Pixel 7'], viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 };

/** A tablet in portrait, and a language that writes numbers and dates otherwise. */
const tablet = { ...desktop, viewport: { width: 768, height: 1024 }, locale: 'de-DE' };

/** Specs that change what the service does for every visitor: they run when all others are through. */
const alone = /lifetime\.spec\.ts/;

/** Specs on the exchanges' own programs, which stay on the chain: they run last of all. */
const real = /real\.spec\.ts/;

/** Specs that look at every page: they run in each of the projects of widths, colours and locales. */
const everywhere = /pages\.spec\.ts/;

export default defineConfig({
  testDir: 'specs',
  outputDir: `${out}/results`,
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // By day a spec that fails by chance does not hold up a change; the report calls it flaky. By
  // night and by hand it fails.
  retries: process.env.CI && !nightly ? 1 : 0,
  // These limits end what hangs, and judge no speed: while the whole suite runs, the specs take
  // many times as long.
  timeout: 900_000,
  expect: { timeout: 60_000 },
  reporter: [['line'], ['json', { outputFile: `${out}/report.json` }]],
  use: {
    baseURL: process.env.BASE_URL ?? 'http://localhost:8080',
    locale: 'en-GB',
    timezoneId: 'UTC',
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      // Root has no sandbox to enter, as in a container.
      chromiumSandbox: process.getuid?.() !== 0,
      args: quiet,
    },
  },
  projects: [
    { name: 'flows', use: desktop, testIgnore: [everywhere, alone, real] },
    { name: 'desktop-light', use: { ...desktop, colorScheme: 'light' }, testMatch: everywhere },
    { name: 'desktop-dark', use: { ...desktop, colorScheme: 'dark' }, testMatch: everywhere },
    { name: 'phone-light', use: { ...phone, colorScheme: 'light' }, testMatch: everywhere },
    { name: 'tablet-light', use: { ...tablet, colorScheme: 'light' }, testMatch: everywhere },
    ...(nightly
      ? [{ name: 'tablet-dark', use: { ...tablet, colorScheme: 'dark' as const }, testMatch: everywhere }]
      : []),
    { name: 'alone', use: desktop, testMatch: alone, dependencies: ['flows'] },
    { name: 'phone-dark', use: { ...phone, colorScheme: 'dark' }, testMatch: everywhere },
    {
      name: 'real',
      use: desktop,
      testMatch: real,
      dependencies: ['alone', 'desktop-light', 'desktop-dark', 'phone-light', 'phone-dark', 'tablet-light'],
    },
  ],
});
