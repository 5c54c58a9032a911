import type { Page, Route } from '@playwright/test';
import { unwritten } from '../fixtures/fake';
import { lookAround } from '../fixtures/look';
import { expect, test } from '../fixtures/test';

/** Answers as the service does when it cannot, or may not, go on. */
const problem = (route: Route, status: number, code: string, detail: string, retryAfter: number) =>
  route.fulfill({
    status,
    headers: { 'Retry-After': String(retryAfter) },
    contentType: 'application/problem+json',
    body: JSON.stringify({
      type: 'about:blank',
      title: code,
      status,
      code,
      detail,
      retryAfter,
      requestId: '4b8f7d8e-6f0e-4a7c-9a51-0c53a1f0c1de',
    }),
  });

/** Lets the first calls of the record of a token fail in some way. */
async function failing(
  page: Page,
  mint: string,
  times: number,
  fail: (route: Route) => Promise<void>,
): Promise<void> {
  let left = times;
  await unwritten(page, mint);
  await page.route(`**/tokens/${mint}`, (route) => (left-- > 0 ? fail(route) : route.continue()));
}

test('a slow service is said to be slow, and then shown', async ({ page, stage }) => {
  const token = await stage.traded();
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  await unwritten(page, token.mintAddress);
  await page.route(`**/tokens/${token.mintAddress}`, async (route) => {
    await gate;
    await route.continue();
  });
  await page.goto(`/t/${token.mintAddress}`);
  await expect(page.getByText('Loading the token')).toBeVisible();
  await expect(page.getByText('This is taking longer than usual')).toBeVisible();
  await lookAround(page, 'trouble-slow');
  go();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(token.name);
  await expect(page.getByText('This is taking longer than usual')).toBeHidden();
});

test('a service that is down is asked again automatically', async ({ page, stage, watch }) => {
  watch.allow(/status of 503/);
  const token = await stage.traded();
  await failing(page, token.mintAddress, 1, (route) =>
    problem(route, 503, 'upstream_unavailable', 'The chain does not answer.', 4),
  );
  await page.goto(`/t/${token.mintAddress}`);
  await expect(page.getByRole('alert')).toContainText('The chain does not answer.');
  await expect(page.getByRole('alert')).toContainText(/Trying again in/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(token.name);
  await expect(page.getByRole('alert')).toBeHidden();
});

test('a limit is waited for, second by second', async ({ page, stage, watch }) => {
  watch.allow(/status of 429/);
  const token = await stage.traded();
  await failing(page, token.mintAddress, 1, (route) =>
    problem(route, 429, 'rate_limited', 'Too many requests from this address.', 600),
  );
  await page.goto(`/t/${token.mintAddress}`);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText(/Trying again in (10:00|9:5\d|9 min)/);
  const before = await alert.textContent();
  await expect(alert, 'the countdown moves').not.toHaveText(before ?? '');
  await lookAround(page, 'trouble-limit');
  await alert.getByRole('button', { name: 'Try now' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(token.name);
});

test('without a connection the page reports it, and continues when there is one', async ({
  page,
  stage,
  context,
  watch,
}) => {
  watch.allow(/ERR_INTERNET_DISCONNECTED/);
  const token = await stage.traded();
  await page.goto(`/t/${token.mintAddress}`, { waitUntil: 'networkidle' });
  const lookup = page.getByRole('region', { name: 'What did I get?' });
  await lookup.getByLabel('Wallet address').fill(token.mintAddress);
  await context.setOffline(true);
  await lookup.getByRole('button', { name: 'Look up' }).click();
  await expect(lookup.getByRole('alert')).toContainText('You are offline');
  await expect(lookup.getByLabel('Wallet address')).toHaveValue(token.mintAddress);
  await lookAround(page, 'trouble-offline');
  await context.setOffline(false);
  await expect(lookup.getByRole('alert')).toBeHidden();
});
