import { look, lookAround } from '../fixtures/look';
import { expect, test } from '../fixtures/test';

test('a token shows what can still change, and where its tax goes', async ({ page, stage }) => {
  const token = await stage.traded();
  await page.goto(`/t/${token.mintAddress}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`${token.name} ${token.symbol}`);
  await expect(page).toHaveTitle(`${token.name} (${token.symbol}) · Shareout`);
  await expect(page.getByRole('region', { name: 'What can still change' })).toContainText(
    'No more can be minted',
  );
  const tax = page.getByRole('region', { name: 'Where the tax goes' });
  await expect(tax.locator('svg')).toBeVisible();
  await expect(tax).toContainText('20% of it is burned');
  const next = page.getByRole('region', { name: 'Next distribution' });
  await expect(next).toContainText('Starts in');
  const clock = next.locator('.clock');
  const before = await clock.textContent();
  await expect(clock, 'the countdown moves').not.toHaveText(before ?? '');
});

test('an address that is none, or no token’s, is said to be so', async ({ page, watch, stage }) => {
  watch.allow(/status of 404/);
  await page.goto('/t/11111111111111111111111111111112');
  await expect(page.getByRole('heading', { name: 'Token not found' })).toBeVisible();
  await look(page, 'token-unknown');
  const hidden = await stage.launch();
  await stage.hide(hidden);
  const answer = await page.goto(`/t/${hidden.mintAddress}`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByText('This token was removed from our lists')).toBeVisible();
  await look(page, 'token-hidden');
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator(`a[href="/t/${hidden.mintAddress}"]`)).toHaveCount(0);
});

test('previews of a link have words and a picture', async ({ request, stage }) => {
  const token = await stage.traded();
  const html = await (await request.get(`/t/${token.mintAddress}`)).text();
  const meta = new Map(
    [...html.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)">/g)].map((m) => [m[1], m[2]]),
  );
  expect(meta.get('og:title')).toContain(token.name);
  expect(meta.get('og:description')).toContain('No more can be minted.');
  expect(meta.get('twitter:card')).toBe('summary_large_image');
  expect(meta.get('og:image')).toMatch(/\/card\.png$/);
});

test('the picture of a preview has the size that they want', async ({ request, stage }) => {
  const token = await stage.traded();
  const card = await request.get(`/t/${token.mintAddress}/card.png`);
  expect(card.status()).toBe(200);
  expect(card.headers()['content-type']).toBe('image/png');
  const bytes = await card.body();
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  expect(bytes.length).toBeLessThan(300_000);
});

test('a wallet that holds nothing is told why it got nothing', async ({ page, stage }) => {
  const token = await stage.traded();
  await page.goto(`/t/${token.mintAddress}`);
  const lookup = page.getByRole('region', { name: 'What did I get?' });
  await lookup.getByRole('button', { name: 'Look up' }).click();
  await expect(lookup).toContainText('Enter a wallet address');
  await lookup.getByLabel('Wallet address').fill('not an address');
  await lookup.getByLabel('Wallet address').press('Enter');
  await expect(lookup).toContainText('not a Solana address');
  await lookAround(page, 'token-lookup-mistake');
});
