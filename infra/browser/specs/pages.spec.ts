import { look } from '../fixtures/look';
import { expect, test } from '../fixtures/test';

// Every page as it is when it is at rest, for a visitor without a wallet.
const pages = [
  ['home', '/'],
  ['launch', '/launch'],
  ['mine', '/mine'],
  ['rewards', '/rewards'],
  ['about', '/about'],
  ['creator', '/c/11111111111111111111111111111111'],
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

test('the header’s links are in one line, with the wallet’s button on a tablet', async ({ page }) => {
  await page.goto('/rewards', { waitUntil: 'networkidle' });
  const button = page.getByRole('button', { name: 'Connect wallet' });
  await expect(button).toBeVisible();
  const links = await page.locator('.top nav a').all();
  const boxes = await Promise.all(links.map((link) => link.boundingBox()));
  expect(boxes).toHaveLength(4);
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
  const [link, at] = [boxes[0], await button.boundingBox()];
  if ((page.viewportSize()?.width ?? 0) > 640)
    expect(at && link && at.y < link.y + link.height && link.y < at.y + at.height).toBe(true);
});

// A mark behind the text is in no list of axe's rules.
test('the hero’s text meets no mark', async ({ page }) => {
  await page.goto('/', { waitUntil: 'networkidle' });
  const mark = page.locator('.engraving .brand-mark');
  const under = (await mark.isVisible()) ? await mark.boundingBox() : null;
  if (under)
    for (const words of await page.locator('.hero h1, .hero .lead, .hero li').all()) {
      const box = await words.boundingBox();
      const right = (box?.x ?? 0) + (box?.width ?? 0);
      const meets = box && right > under.x && box.y < under.y + under.height && box.y + box.height > under.y;
      expect.soft(meets ? await words.textContent() : null).toBeNull();
    }
});
