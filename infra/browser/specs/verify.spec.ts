import type { Page } from '@playwright/test';
import { look, lookAround } from '../fixtures/look';
import type { Distributed } from '../fixtures/stage';
import { expect, test } from '../fixtures/test';

/** Opens the newest distribution of the token, and verifies it. */
async function verify(page: Page, token: Distributed) {
  await page.goto(`/t/${token.mintAddress}`);
  const runs = page.getByRole('region', { name: 'Distributions' });
  await runs.getByRole('button', { expanded: false }).first().click();
  const panel = page.getByRole('region', { name: 'Verify in your browser' });
  await panel.getByRole('button', { name: 'Verify this distribution' }).click();
  return panel.getByRole('region', { name: 'Result of the verification' });
}

test('a distribution is verified in the browser, down to the chain', async ({ page, stage }) => {
  const token = await stage.settled();
  const result = await verify(page, token);
  await expect(result).toContainText('The proof holds and is complete');
  await expect(result).toBeFocused();
  const checks = (verdict: string) =>
    result.getByRole('listitem').filter({ has: page.getByText(verdict, { exact: true }) });
  expect(await checks('Proven from the files').count()).toBeGreaterThan(9);
  expect(await checks('Proven on the chain').count()).toBeGreaterThan(6);
  expect(await checks('Not checked').count()).toBe(0);
  await expect(result).toContainText('Is the fingerprint on the chain?');
  await expect(result.getByText('Does not hold')).toHaveCount(0);
  await result.getByLabel('Find a wallet in the proof').fill(token.paid);
  await result.getByRole('button', { name: 'Find' }).click();
  await expect(result).toContainText(/Share .* SOL\. Paid .* SOL\./);
  await lookAround(page, 'verify-holds');
});

test('a bundle in which one digit was changed is shown as such', async ({ page, stage }) => {
  const token = await stage.settled();
  let changed = 0;
  await page.route(/\/ipfs\//, async (route) => {
    const response = await route.fetch();
    const body = await response.body();
    // A digit of what the wallet got, in the page of rows.
    const at = body.indexOf(`,${token.paid},`);
    if (at < 0 || body[0] === 0x7b) return route.fulfill({ response, body });
    const digit = at + token.paid.length + 2;
    body[digit] = body[digit] === 0x31 ? 0x32 : 0x31;
    changed++;
    await route.fulfill({ response, body });
  });
  const result = await verify(page, token);
  await expect(result.getByRole('alert')).toContainText('This proof does not hold');
  await expect(result).toContainText('the content is not what the file');
  await expect(result.getByText('The proof holds')).toHaveCount(0);
  expect(changed).toBeGreaterThan(0);
  await lookAround(page, 'verify-tampered');
});

test('a proof that cannot be fetched is not called forged', async ({ page, stage, watch }) => {
  watch.allow(/ERR_FAILED|status of 504/);
  const token = await stage.settled();
  await page.route(/\/ipfs\//, (route) => route.abort());
  await page.goto(`/t/${token.mintAddress}`);
  await page
    .getByRole('region', { name: 'Distributions' })
    .getByRole('button', { expanded: false })
    .first()
    .click();
  const panel = page.getByRole('region', { name: 'Verify in your browser' });
  await panel.getByRole('button', { name: 'Verify this distribution' }).click();
  await expect(panel).toContainText('This says nothing about the proof itself.');
  await expect(panel.getByText('does not hold')).toHaveCount(0);
  await look(page, 'verify-unreachable');
});
