import { type Answer, answering, fetched } from '../fixtures/fake';
import { look, lookAround } from '../fixtures/look';
import { expect, test } from '../fixtures/test';

test('the lists show what is new, featured and on a curve', async ({ page, request, stage }) => {
  const token = await stage.marketed();
  await page.goto('/');
  const card = page.locator(`a[href="/t/${token.mintAddress}"]`);
  await expect(card.first()).toBeVisible();
  await lookAround(page, 'home-newest');
  const tabs = page.getByRole('navigation', { name: 'Lists' });
  await tabs.getByRole('link', { name: 'Featured' }).click();
  await expect(page.getByText('Featured until').first()).toBeVisible();
  await expect(card.first()).toBeVisible();
  await lookAround(page, 'home-featured');
  await tabs.getByRole('link', { name: 'Launchpad' }).click();
  await expect(page.getByRole('progressbar').first()).toBeVisible();
  await expect(page.getByText(/^Opens /)).toHaveCount(0);
  await lookAround(page, 'home-launchpad');
  const { launchpad } = await fetched(request, '/launchpad');
  const startsAt = new Date(Date.now() + 3_600_000).toISOString();
  const later = (launchpad as Answer[]).map((curve) => ({ ...curve, startsAt }));
  await answering(page, '/launchpad', { launchpad: later, nextCursor: null });
  await page.reload();
  await expect(page.getByText(/^Opens .* it takes no trades/).first()).toBeVisible();
  await look(page, 'home-opens-later');

  await card.first().click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(token.name);
  await expect(page.getByRole('progressbar').first()).toBeVisible();
  await lookAround(page, 'token-curve');
});

test('a token is found by its name and by its address', async ({ page, stage }) => {
  const token = await stage.traded();
  await page.goto('/');
  const find = page.getByLabel('Find a token by name, symbol or mint address');
  await find.fill(token.name.slice(0, 4).toUpperCase());
  await find.press('Enter');
  await expect(page.getByText('Anyone can use any name')).toBeVisible();
  await expect(page.getByRole('link', { name: token.name }).first()).toBeVisible();
  await find.fill(`https://example.com/t/${token.mintAddress}`);
  await find.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(token.name);
});

test('the colours are the visitor’s to choose, and stay', async ({ page }) => {
  await page.goto('/');
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.getByLabel('Theme').selectOption('dark');
  const dark = await paper();
  await page.reload();
  await expect(page.getByLabel('Theme')).toHaveValue('dark');
  expect(await paper()).toBe(dark);
  await page.getByLabel('Theme').selectOption('light');
  expect(await paper()).not.toBe(dark);
});
