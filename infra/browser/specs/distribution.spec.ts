import { lookAround } from '../fixtures/look';
import { expect, test } from '../fixtures/test';

test('a distribution is watched, and what it paid is looked up', async ({ page, stage }) => {
  const token = await stage.traded();
  await page.goto(`/t/${token.mintAddress}`);
  const runs = page.getByRole('region', { name: 'Distributions' });
  await expect(runs).toContainText('No distributions yet');
  await stage.openSlot();
  // The page waits for the next hour, which did not come: a visitor who looks again sees it.
  await expect(async () => {
    await page.reload();
    await expect(runs.getByRole('table')).toBeVisible({ timeout: 3_000 });
  }).toPass();
  const status = runs.locator('tbody tr').first().locator('.status');
  await expect(status).not.toHaveText('Done');
  await lookAround(page, 'token-at-work');
  const { paid } = await stage.settled();
  // Nothing is loaded again: the page itself notices the end.
  await expect(status).toHaveText('Done');
  await expect(runs.locator('.figures')).toContainText('Paid to holders');
  await runs.getByRole('button', { expanded: false }).first().click();
  await expect(runs).toContainText('Proof written to the chain');
  await lookAround(page, 'token-settled');

  const lookup = page.getByRole('region', { name: 'What did I get?' });
  await lookup.getByLabel('Wallet address').fill(paid);
  await lookup.getByRole('button', { name: 'Look up' }).click();
  await expect(lookup).toContainText('Share of this distribution');
  await lookup.getByRole('button', { name: 'Show proof' }).click();
  await lookAround(page, 'token-lookup-paid');
  await lookup.getByLabel('Wallet address').fill(token.mintAddress);
  await lookup.getByRole('button', { name: 'Look up' }).click();
  await expect(lookup).toContainText('Paid nothing.');
  await lookAround(page, 'token-lookup-unpaid');

  await lookup.getByLabel('Wallet address').fill(paid);
  await lookup.getByRole('button', { name: 'Look up' }).click();
  await expect(lookup).toContainText('Share of this distribution');
  await lookup.getByRole('link', { name: 'All rewards of this wallet' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My rewards');
  const reward = page.getByRole('main').getByRole('listitem').filter({ hasText: token.name });
  await expect(reward).toContainText('Received');
  await expect(reward).not.toContainText('none yet');
  await lookAround(page, 'rewards-paid');
});
