import { look } from '../fixtures/look';
import { expect, test } from '../fixtures/test';

// Every page as it is when it has come to rest, for a visitor without a wallet.
const pages = [
  ['home', '/'],
  ['launch', '/launch'],
  ['mine', '/mine'],
  ['rewards', '/rewards'],
  ['nowhere', '/t/nonsense'],
] as const;

for (const [name, path] of pages) {
  test(`${name} is for every visitor`, async ({ page, watch }, info) => {
    watch.allow(/status of 404/);
    await page.goto(path, { waitUntil: 'networkidle' });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await look(page, `${name}.${info.project.name}`);
  });
}

test('a token is for every visitor', async ({ page, stage }, info) => {
  const token = await stage.traded();
  await page.goto(`/t/${token.mintAddress}`, { waitUntil: 'networkidle' });
  await expect(page.getByRole('heading', { level: 1 })).toContainText(token.name);
  await look(page, `token.${info.project.name}`);
});
