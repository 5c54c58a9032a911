import { choosePicture } from '../fixtures/launch';
import { expect, test } from '../fixtures/test';
import { signAndSend, signIn } from '../fixtures/wallet';

test.afterEach(({ stage }) => stage.launchOn('nonce'));

test('a launch on a blockhash is had again when its time is over, and launches once', async ({
  page,
  stage,
}) => {
  await stage.launchOn('blockhash');
  let fresh = 0;
  page.on('request', (r) => {
    if (r.method() === 'POST' && /\/tokens\/transactions\/[^/]+\/refresh$/.test(r.url())) fresh++;
  });
  await page.goto('/launch');
  await signIn(page);
  await choosePicture(page);
  await page.getByLabel('Name', { exact: true }).fill('Brief Swift');
  await page.getByLabel('Symbol', { exact: true }).fill('SWIFT');
  await page.getByRole('button', { name: 'Review launch' }).click();
  await page.getByRole('button', { name: 'Continue to sign' }).click();
  const transaction = page.getByRole('region', { name: 'Launch Brief Swift' });
  // A blockhash lives for 150 blocks.
  await expect(transaction).toContainText(/Time to sign: 0:0\d/);
  await signAndSend(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Brief Swift is live' })).toBeVisible();
  expect(fresh).toBe(1);
});
