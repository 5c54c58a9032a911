import { choosePicture, launch, picture } from '../fixtures/launch';
import { lookAround } from '../fixtures/look';
import { expect, test } from '../fixtures/test';
import { agree, signAndSend, signIn } from '../fixtures/wallet';

/** Wallets that share what the creator gets. */
const partners = [
  '8sLhuH3TKG1tao2fvqFrd2agZMkELDAoawpjvF5LaEtx',
  '93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp',
];

test('a visitor with nothing launches a token and puts it on a curve', async ({ page, request }) => {
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Launch' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Launch a token' })).toBeVisible();

  // The wallet: it asks before it shows its address, and before it signs.
  await page.getByRole('main').getByRole('button', { name: 'Demo wallet' }).click();
  await lookAround(page, 'launch-1-connect');
  await agree(page, 'Connect this page?', 'Connect');
  await expect(page.getByRole('dialog', { name: 'Sign this text?' })).toContainText('wants you to sign in');
  await lookAround(page, 'launch-2-sign-in');
  await agree(page, 'Sign this text?', 'Sign');
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();

  // The picture is cut to a square, by keys or pointer.
  await page.getByLabel('Choose a picture').setInputFiles(picture);
  await page.getByRole('group', { name: 'Part of the picture' }).press('ArrowLeft');
  await page.getByLabel('Zoom').fill('1.5');
  await lookAround(page, 'launch-3-crop');
  await page.getByRole('button', { name: 'Use this crop' }).click();
  const chosen = page.getByRole('img', { name: 'Your choice' });
  await expect(chosen).toBeVisible();
  const size = await chosen.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight]);
  expect(size[0]).toBe(size[1]);

  // Mistakes are told where they are, once a field is left, and go away when they are mended.
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('A name that is much too long for the document');
  await name.blur();
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  const tax = page.getByLabel('Tax on every transfer');
  await tax.fill('5,5,5');
  await tax.blur();
  await expect(tax).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('Still needed')).toBeVisible();
  await lookAround(page, 'launch-4-mistakes');
  await name.fill('Paper Crane');
  await expect(name).not.toHaveAttribute('aria-invalid', 'true');
  await tax.fill('5');
  await page.getByLabel('Symbol', { exact: true }).fill('CRANE');
  await page.getByLabel('Share to burn').fill('20');
  await page.getByLabel('Share for you').fill('10');
  await page.getByText('More settings').click();
  const sharing = page.getByRole('group', { name: 'Wallets that share it' });
  await sharing.getByRole('button', { name: 'Share it between wallets' }).click();
  for (const [i, wallet] of partners.entries())
    await sharing.getByLabel(`Wallet ${i + 1}`, { exact: true }).fill(wallet);
  await sharing.getByLabel('Percent for wallet 1').fill('70.01');
  const last = sharing.getByLabel('Percent for wallet 2');
  await last.fill('29.98');
  await last.blur();
  await expect(sharing.getByText('Enter two to ten wallets whose percentages add up to 100.')).toBeVisible();
  await last.fill('29.99');
  await expect(sharing.getByText('Enter two to ten wallets')).toHaveCount(0);
  await expect(page.getByLabel('Wallet for your share')).toHaveAttribute('readonly', '');
  await expect(page.getByRole('complementary', { name: 'Preview' })).toContainText('the 2 wallets you chose');

  // What it would cost and do is there before anything is made, and what it does before anything is signed.
  await page.getByRole('button', { name: 'Review launch' }).click();
  const transaction = page.getByRole('region', { name: 'Launch Paper Crane' });
  await expect(transaction.getByRole('table', { name: 'What it would cost you now' })).toContainText('Total');
  await expect(transaction).toContainText('(not made yet)');
  await expect(transaction.getByRole('button', { name: 'Sign and send' })).toHaveCount(0);
  await lookAround(page, 'launch-5-review');
  await transaction.getByRole('button', { name: 'Continue to sign' }).click();
  await expect(transaction.getByRole('table', { name: 'What it costs you' })).toContainText('Total');
  await expect(transaction).not.toContainText('(not made yet)');
  await expect(transaction).toContainText('Time to sign:');
  await expect(transaction).toContainText('Your wallet needs');
  await lookAround(page, 'launch-5-ready');
  await signAndSend(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Paper Crane is live' })).toBeVisible();
  await lookAround(page, 'launch-6-launched');

  // Amounts: the page shows below an amount how it was read, and asks about a decimal comma.
  await page.getByRole('radio', { name: /^Pool/ }).check();
  const deposit = page.getByLabel('SOL to deposit');
  await deposit.fill('0,5');
  await deposit.blur();
  await expect(deposit).toHaveAccessibleDescription(/^Did you mean 0\.5\?/);
  await expect(page.getByRole('button', { name: 'Review pool' })).toBeDisabled();
  await lookAround(page, 'launch-7-pool-comma');
  await deposit.fill('1,000');
  await expect(deposit).toHaveAccessibleDescription('= 1,000 SOL. The comma separates thousands.');
  await deposit.fill('0.5');
  await expect(deposit).toHaveAccessibleDescription('= 0.5 SOL');
  await expect(page.getByRole('button', { name: 'Review pool' })).toBeEnabled();
  await lookAround(page, 'launch-7-pool');
  await page.getByRole('radio', { name: /^Bonding curve/ }).check();

  // The market: what would be asked for is shown; the local chain has no program for it.
  await page.getByRole('button', { name: 'Review curve' }).click();
  await expect(page.getByRole('region', { name: 'Open the curve' })).toContainText('Time to sign:');
  await expect(page.getByText('This network does not have the program')).toBeVisible();
  await lookAround(page, 'launch-7-curve');

  await page.getByRole('link', { name: 'Your token’s page' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Paper Crane CRANE');
  const record = await (await request.get(`/tokens/${new URL(page.url()).pathname.split('/').pop()}`)).json();
  expect(record.settings.creatorSplits).toEqual([
    { wallet: partners[0], percent: 70.01 },
    { wallet: partners[1], percent: 29.99 },
  ]);
  await lookAround(page, 'launch-8-page');
});

test('the keyboard alone is enough to launch', async ({ page }) => {
  const press = async (key: string, times = 1) => {
    for (let i = 0; i < times; i++) await page.keyboard.press(key);
  };
  /** Goes on with Tab until something of that name has the focus. */
  const reach = async (name: string | RegExp) => {
    for (let i = 0; i < 80; i++) {
      await press('Tab');
      const label = await page.evaluate(() => {
        const at = document.activeElement as HTMLInputElement;
        return (at.labels?.[0]?.textContent ?? at.getAttribute('aria-label') ?? at.textContent ?? '').trim();
      });
      if (typeof name === 'string' ? label === name : name.test(label)) return;
    }
    throw new Error(`Tab does not lead to ${name}`);
  };
  await page.goto('/launch');
  await expect(page.getByRole('main').getByRole('button', { name: 'Demo wallet' })).toBeVisible();
  await reach('Demo wallet');
  await press('Enter');
  await expect(page.getByRole('dialog', { name: 'Connect this page?' })).toBeVisible();
  await reach('Connect');
  await press('Enter');
  await expect(page.getByRole('dialog', { name: 'Sign this text?' })).toBeVisible();
  await reach('Sign');
  await press('Enter');
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();

  await reach('Choose a picture');
  // No page can operate the system's window for files, so the file is set directly.
  await page.getByLabel('Choose a picture').setInputFiles(picture);
  await expect(page.getByRole('button', { name: 'Use this crop' })).toBeVisible();
  await reach('Part of the picture');
  await press('ArrowUp', 3);
  await reach(/^Use this crop$/);
  await press('Enter');
  await reach(/^Name$/);
  await page.keyboard.type('Keys Only');
  await reach(/^Symbol$/);
  await page.keyboard.type('KEYS');
  await reach(/^Review launch$/);
  await press('Enter');
  await expect(page.getByRole('heading', { level: 3, name: 'Launch Keys Only' })).toBeFocused();
  await reach(/^Continue to sign$/);
  await press('Enter');
  await expect(page.getByRole('table', { name: 'What it costs you' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 3, name: 'Launch Keys Only' })).toBeFocused();
  await reach(/^Get .* demo SOL$/);
  await press('Enter');
  await expect(page.getByRole('button', { name: 'Sign and send' })).toBeEnabled();
  await reach(/^Sign and send$/);
  await press('Enter');
  await expect(page.getByRole('dialog', { name: 'Sign this transaction?' })).toBeVisible();
  await reach('Sign');
  await press('Enter');
  const done = page.getByRole('heading', { level: 1, name: 'Keys Only is live' });
  await expect(done).toBeVisible();
  await expect(done).toBeFocused();
});

test('nothing typed is lost, without a connection and after a reload', async ({ page, context, watch }) => {
  watch.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  await page.goto('/launch');
  await signIn(page);
  await choosePicture(page);
  await page.getByLabel('Name', { exact: true }).fill('Not Lost');
  await page.getByLabel('Symbol', { exact: true }).fill('KEPT');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Review launch' }).click();
  await expect(page.getByRole('alert')).toContainText('You are offline');
  await expect(page.getByRole('alert')).toContainText('Trying again in');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Not Lost');
  await lookAround(page, 'launch-offline');
  await context.setOffline(false);
  // It continues automatically.
  await expect(page.getByRole('table', { name: 'What it would cost you now' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue to sign' }).click();
  await expect(page.getByRole('region', { name: 'Launch Not Lost' })).toContainText('Time to sign:');
  await page.reload();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Not Lost');
  await expect(page.getByLabel('Symbol', { exact: true })).toHaveValue('KEPT');
  await expect(page.getByRole('img', { name: 'Your choice' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Launch Not Lost' })).toContainText('Time to sign:');
});

test('an answer that is lost makes no second token', async ({ page, request, watch }) => {
  watch.allow(/ERR_FAILED|ERR_CONNECTION/);
  let lost = 0;
  await page.route('**/tokens/submit', async (route) => {
    if (lost++ > 0) return route.continue();
    // The service gets it and does it; what it says does not arrive.
    await route.fetch();
    await route.abort('connectionfailed');
  });
  const mint = await launch(page, 'Only Once', 'ONCE');
  const record = await (await request.get(`/tokens/${mint}`)).json();
  expect(lost).toBeGreaterThan(0);
  const list = await (await request.get(`/tokens?creator=${record.creator}`)).json();
  expect(list.tokens.map((t: { name: string }) => t.name)).toEqual(['Only Once']);
});

test('six reviews and edits in a row cost no launch', async ({ page }) => {
  const calls: string[] = [];
  page.on('request', (r) => {
    if (r.method() === 'POST' && /^\/tokens\//.test(new URL(r.url()).pathname))
      calls.push(new URL(r.url()).pathname);
  });
  const created = () => calls.filter((path) => path === '/tokens/create-unsigned').length;
  await page.goto('/launch');
  await signIn(page);
  await choosePicture(page);
  await page.getByLabel('Symbol', { exact: true }).fill('TIMES');
  for (let i = 1; i <= 6; i++) {
    await page.getByLabel('Name', { exact: true }).fill(`Six Times ${i}`);
    await page.getByRole('button', { name: 'Review launch' }).click();
    await expect(page.getByRole('table', { name: 'What it would cost you now' })).toContainText('Total');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
  }
  expect(calls.filter((path) => path === '/tokens/validate')).toHaveLength(6);
  expect(created()).toBe(0);
  // It is created when its owner proceeds to sign, and once for as long as nothing is changed.
  await page.getByRole('button', { name: 'Review launch' }).click();
  await page.getByRole('button', { name: 'Continue to sign' }).click();
  const transaction = page.getByRole('region', { name: 'Launch Six Times 6' });
  await expect(transaction).toContainText('Time to sign:');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('button', { name: 'Review launch' }).click();
  await expect(transaction).toContainText('Time to sign:');
  expect(created()).toBe(1);
});

test('a wallet that has prepared enough is told when it may again', async ({ page, request, watch }) => {
  watch.allow(/status of 429/);
  await page.goto('/launch');
  await signIn(page);
  await choosePicture(page);
  await page.getByLabel('Name', { exact: true }).fill('Too Many');
  await page.getByLabel('Symbol', { exact: true }).fill('MANY');
  const { token } = await page.evaluate(() => JSON.parse(sessionStorage.getItem('session') ?? '{}'));
  for (let i = 0; i < 5; i++)
    await request.post('/tokens/create-unsigned', {
      headers: { Authorization: `Bearer ${token}` },
      data: {},
    });
  // It can still be checked; only the transaction has to wait.
  await page.getByRole('button', { name: 'Review launch' }).click();
  await page.getByRole('button', { name: 'Continue to sign' }).click();
  await expect(page.getByRole('alert')).toContainText(
    /^You can prepare another launch in (\d+ minutes|1 hour)\./,
  );
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Too Many');
  await lookAround(page, 'launch-limit');
});
