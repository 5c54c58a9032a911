import { lookAround } from '../fixtures/look';
import { receiver } from '../fixtures/receiver';
import { expect, test } from '../fixtures/test';
import { signIn } from '../fixtures/wallet';

test('a creator adds a webhook, tests it, reads its deliveries and deletes it', async ({
  page,
  context,
  watch,
}) => {
  watch.allow(/status of 400/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await using server = await receiver();
  await page.goto('/mine');
  await signIn(page);
  const webhooks = page.getByRole('region', { name: 'Webhooks' });
  await expect(webhooks).toContainText('No webhooks yet.');
  await lookAround(page, 'webhooks-none');

  // What the service does not call is said where it is put right.
  const url = webhooks.getByLabel('URL');
  await url.fill('http://example.com/');
  await webhooks.getByRole('button', { name: 'Add webhook' }).click();
  await expect(url).toHaveAttribute('aria-invalid', 'true');
  await expect(url).toBeFocused();
  await lookAround(page, 'webhooks-refused');

  // An address that does not answer stays pending.
  server.answer(503);
  await url.fill(server.url);
  await webhooks.getByRole('button', { name: 'Add webhook' }).click();
  await expect(webhooks).toContainText('Waiting for an answer');
  await expect(webhooks).toContainText('webhook.challenge');
  await expect.poll(() => server.got.length).toBe(1);
  await lookAround(page, 'webhooks-secret');
  await webhooks.getByRole('button', { name: 'Copy secret' }).click();
  await expect(webhooks).toContainText('Copied.');
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  expect(secret).toMatch(/^whsec_/);
  await expect(webhooks).toContainText(secret);
  await webhooks.getByRole('button', { name: 'I have stored it' }).click();
  await expect(webhooks).not.toContainText(secret);
  await page.reload();
  await expect(webhooks).toContainText('Waiting for an answer');
  await expect(webhooks).not.toContainText(secret);

  server.answer(200);
  await webhooks.getByRole('button', { name: 'Send a challenge' }).click();
  await expect(webhooks.getByText('Active', { exact: true })).toBeVisible();

  const sent = () => server.got.filter((message) => message.type === 'webhook.test');
  await webhooks.getByRole('button', { name: 'Send a test' }).click();
  await expect.poll(() => sent().length).toBe(1);
  expect(server.got.every((message) => message.signedWith(secret))).toBe(true);
  await webhooks.getByRole('button', { name: 'Deliveries' }).click();
  const newest = webhooks.getByRole('list').getByRole('list').getByRole('listitem').first();
  await expect(newest).toContainText('Test');
  await expect(newest).toContainText('Delivered');
  await lookAround(page, 'webhooks-deliveries');

  await newest.getByRole('button', { name: 'Send again' }).click();
  await expect(newest).toContainText('It is on its way again');
  await expect.poll(() => sent().length).toBe(2);
  expect(sent()[1]?.id).toBe(sent()[0]?.id);

  await webhooks.getByRole('button', { name: 'Delete' }).click();
  await expect(webhooks.getByRole('group', { name: 'Delete this webhook?' })).toBeVisible();
  await lookAround(page, 'webhooks-delete');
  await webhooks.getByRole('button', { name: 'Delete webhook' }).click();
  await expect(webhooks).toContainText('Webhook deleted.');
  await expect(webhooks).toContainText('No webhooks yet.');
});
