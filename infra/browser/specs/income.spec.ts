import type { Page } from '@playwright/test';
import { launch } from '../fixtures/launch';
import { lookAround } from '../fixtures/look';
import { expect, test } from '../fixtures/test';
import { signAndSend } from '../fixtures/wallet';

// The chain has none of the programs that are called here, so it refuses what is sent: real.spec.ts
// has the rest.
/** What the chain was sent, and what it said to it. */
interface Sendings {
  readonly got: readonly { readonly transaction: Buffer; readonly refused: boolean }[];
}

/** Lets the page take what a path prepares for good: the rest, from the wallet on, is as it is. */
async function hopeful(page: Page, path: string, rpcUrl: string): Promise<Sendings> {
  const got: { transaction: Buffer; refused: boolean }[] = [];
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      const response = await route.fetch();
      const given = await response.json();
      await route.fulfill({ response, json: { ...given, simulation: { ok: true } } });
    },
  );
  await page.route(`${rpcUrl}/**`, async (route) => {
    const call = route.request().postDataJSON() as { method: string; params: string[] } | null;
    const response = await route.fetch();
    if (call?.method === 'sendTransaction') {
      const { error } = (await response.json()) as { error?: object };
      got.push({ transaction: Buffer.from(call.params[0] ?? '', 'base64'), refused: error !== undefined });
    }
    await route.fulfill({ response });
  });
  return { got };
}

/** Whether the wallet, which pays and so comes first, has signed. */
const signed = (transaction: Buffer) => transaction.subarray(1, 65).some((byte) => byte !== 0);

test('a claim of trading fees is explained, signed and sent', async ({ page, stage, config }) => {
  const mint = await launch(page, 'Fee Token', 'FEE');
  await page.getByRole('button', { name: 'Review curve' }).click();
  await expect(page.getByText('This network does not have the program')).toBeVisible();
  await stage.curve(mint);
  const sendings = await hopeful(page, `/launchpad/${mint}/fees/create-unsigned`, config.rpcUrl);
  await page.goto(`/mine?token=${mint}`);
  const fees = page.getByRole('region', { name: 'Trading fees', exact: true });
  // Four fifths of the 1% of what a buyer paid, 25 SOL with the fee on top.
  const due = '0.20202';
  await expect(fees).toContainText(due);
  await expect(fees).toContainText('0 SOL claimed so far');
  await fees.getByRole('button', { name: 'Review claim' }).click();
  await expect(fees).toContainText('Claims the trading fees that the position of the bonding curve');
  await expect(fees).toContainText(`You receive ${due}`);
  await lookAround(page, 'mine-claim');
  await signAndSend(page);
  await expect(fees.getByRole('alert')).toContainText('The network rejected it');
  await expect(fees.getByRole('alert')).toContainText('Nothing was paid.');
  expect(sendings.got.map(({ transaction, refused }) => [signed(transaction), refused])).toEqual([
    [true, true],
  ]);
  await page.reload();
  await expect(fees, 'it can be claimed as before').toContainText(due);
  await expect(fees.getByRole('button', { name: 'Review claim' })).toBeEnabled();
});

test('a lock is filled in, explained, signed and sent', async ({ page, config }) => {
  const mint = await launch(page, 'Locked Token', 'LOCK');
  await page.goto(`/mine?token=${mint}`);
  const lock = page.getByRole('region', { name: 'Lock over time' });
  await lock.getByRole('button', { name: 'Lock tokens' }).click();
  const amount = lock.getByLabel('LOCK to lock');
  await amount.fill('0');
  await amount.blur();
  await expect(amount).toHaveAttribute('aria-invalid', 'true');
  await expect(lock.getByRole('button', { name: 'Review lock' })).toBeDisabled();
  await amount.fill('1,000.5');
  await lock.getByLabel('First release').fill('2027-03-02T12:00');
  await lock.getByLabel('Number of releases').fill('12');
  await lock.getByLabel('Time between releases').fill('720');
  await lock.getByLabel('Unit of that time').selectOption('hours');
  await expect(lock).toContainText('The last release is on 26 Jan 2028');
  await lookAround(page, 'mine-lock');
  await page.reload();
  await lock.getByRole('button', { name: 'Lock tokens' }).click();
  await expect(amount, 'what was typed outlives a reload').toHaveValue('1,000.5');
  const review = lock.getByRole('button', { name: 'Review lock' });
  await review.click();
  await expect(lock).toContainText('This network does not have the program it needs.');
  await expect(lock.getByRole('button', { name: 'Sign and send' })).toBeDisabled();

  await lock.getByRole('button', { name: 'Edit' }).click();
  const sendings = await hopeful(page, `/tokens/${mint}/lock/create-unsigned`, config.rpcUrl);
  await review.click();
  await expect(lock).toContainText('950.474999 LOCK are locked for your own wallet.');
  await expect(lock).toContainText('then 79.206249 LOCK 11 more times, the last on 26 Jan 2028');
  await expect(lock).toContainText('No one can cancel this or change the recipient.');
  await lookAround(page, 'mine-lock-ready');
  await signAndSend(page);
  await expect(lock.getByRole('alert')).toContainText('The network rejected it');
  expect(sendings.got.map(({ transaction, refused }) => [signed(transaction), refused])).toEqual([
    [true, true],
  ]);
  await expect(review.or(lock.getByRole('button', { name: 'Try again' }))).toBeEnabled();
  await expect(amount).toHaveValue('1,000.5');
});
