import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '../fixtures/test';

/** Bytes over the wire of the API's documents to read, all of them. */
const WEIGHT = 90_000;

/** Articles of each kind: axe takes a minute for all of them, which one layout makes. */
const some = ['createUnsignedToken', 'getToken', 'token_not_found', 'validation_failed', 'limits', 'headers'];

const ways = [
  { device: 'desktop', width: 1280, height: 800, colorScheme: 'light' },
  { device: 'phone', width: 360, height: 740, colorScheme: 'dark' },
] as const;

for (const { device, colorScheme, ...viewport } of ways) {
  test(`the API's documents are accessible: ${device}, ${colorScheme}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.goto('/docs');
    for (const name of ['token_not_found', 'createUnsignedToken']) {
      await page.goto(`/docs#${name}`);
      const path = `../../.build/browser/screenshots/docs-${name}.${device}-${colorScheme}.png`;
      await page.screenshot({ path });
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide, 'wider than the window').toBeLessThanOrEqual(0);
    await page.evaluate((kept) => {
      for (const article of document.querySelectorAll('article'))
        if (!kept.includes(article.id)) article.remove();
    }, some);
    const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
    const faults = violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`);
    expect(faults).toEqual([]);
  });
}

test('the API documents need one request and no script', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' });
  const page = await context.newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const answer = await page.goto('/docs#token_not_found');
  const sizes = await answer?.request().sizes();
  expect(requests).toHaveLength(1);
  expect((sizes?.responseBodySize ?? 0) + (sizes?.responseHeadersSize ?? 0)).toBeLessThanOrEqual(WEIGHT);

  const code = page.locator('#token_not_found');
  await expect(code).toBeInViewport();
  await code.getByText('Example').click();
  await expect(code.getByText('"type": "/docs#token_not_found"')).toBeVisible();

  const samples = page.locator('#getToken .samples');
  await expect(samples.getByText(/^curl http/)).toBeVisible();
  await samples.getByText('Go', { exact: true }).click();
  await expect(samples.getByText('c.GetToken(')).toBeVisible();
  await expect(samples.getByText(/^curl http/)).toBeHidden();
  await context.close();
});
