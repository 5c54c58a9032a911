import { launch } from '../fixtures/launch';
import { lookAround } from '../fixtures/look';
import { expect, test } from '../fixtures/test';
import { signAndSend, signIn } from '../fixtures/wallet';

test('a creator is paid their trading fees and locks tokens, on the programs themselves', async ({
  page,
  browser,
  baseURL,
  request,
  stage,
  config,
}) => {
  test.skip(!(await stage.exchanges()), 'DEX_PROGRAMS_DIR names no folder with the programs');
  const done = (title: string, at = page) =>
    expect(at.getByRole('region', { name: title })).toContainText('Done. The network has confirmed it.');
  const mint = await launch(page, 'Real Token', 'REAL');
  await page.getByLabel('REAL on the curve').fill('800,000,000');
  await page.getByRole('button', { name: 'Review curve' }).click();
  await expect(page.getByRole('region', { name: 'Open the curve' })).toContainText('it would succeed');
  await signAndSend(page);
  await done('Open the curve');
  await stage.seen(mint);

  // Someone else buys.
  const context = await browser.newContext(baseURL ? { baseURL } : {});
  const buyer = await context.newPage();
  await buyer.goto(`/t/${mint}`);
  await buyer.getByRole('button', { name: 'Buy or sell' }).click();
  await signIn(buyer);
  await buyer.getByRole('group', { name: 'Buy or sell' }).getByRole('radio', { name: 'In REAL' }).check();
  await buyer.getByRole('group', { name: 'Buy or sell' }).getByLabel('REAL to buy').fill('100,000,000');
  await buyer.getByRole('button', { name: 'Review purchase' }).click();
  await signAndSend(buyer);
  await done('Your trade', buyer);
  await context.close();

  await page.goto(`/mine?token=${mint}`);
  const fees = page.getByRole('region', { name: 'Trading fees', exact: true });
  const claim = fees.getByRole('button', { name: 'Review claim' });
  await expect(claim).toBeEnabled();
  const { claimableLamports } = await (await request.get(`/launchpad/${mint}/fees`)).json();
  expect(Number(claimableLamports)).toBeGreaterThan(10_000_000);
  await claim.click();
  await expect(fees).toContainText('it would succeed');
  await signAndSend(page);
  await done('Claim trading fees');
  await expect(fees).toContainText('0 SOL can be claimed now.');
  const after = await (await request.get(`/launchpad/${mint}/fees`)).json();
  expect(after).toMatchObject({ claimableLamports: '0', claimedLamports: claimableLamports });
  await lookAround(page, 'real-claimed');

  const lock = page.getByRole('region', { name: 'Lock over time' });
  await lock.getByRole('button', { name: 'Lock tokens' }).click();
  await lock.getByLabel('REAL to lock').fill('100,000,000');
  await lock.getByLabel('First release').fill('2027-03-02T12:00');
  await lock.getByLabel('Number of releases').fill('4');
  await lock.getByRole('button', { name: 'Review lock' }).click();
  await expect(lock).toContainText('REAL are locked for your own wallet.');
  await expect(lock).toContainText('it would succeed');
  await signAndSend(page);
  await done('Lock your tokens');
  await lookAround(page, 'real-locked');
  const escrow = await lock.getByText('The escrow is').getByRole('link').getAttribute('title');
  const response = await request.post(config.rpcUrl, {
    data: { jsonrpc: '2.0', id: 1, method: 'getAccountInfo', params: [escrow, { encoding: 'base64' }] },
  });
  const { result } = await response.json();
  expect(result.value.owner, 'Jupiter Lock has it').toBe('LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn');
});
