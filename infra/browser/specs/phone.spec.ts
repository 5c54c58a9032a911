import { devices, type Locator, type Page } from '@playwright/test';
import { type Answer, fetched } from '../fixtures/fake';
import { expect, test } from '../fixtures/test';

// A phone with a finger: what five tasks of a holder or a buyer take in taps.
test.use({ ...devices['Pixel 7'], viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 });

/** A finger that counts its taps. Scrolling and typing are not taps. */
class Finger {
  taps = 0;
  constructor(readonly page: Page) {}

  async tap(target: Locator): Promise<void> {
    await target.tap();
    this.taps++;
  }

  /** Signs in with the demo wallet: the choice of the wallet, and its two questions. */
  async signIn(from: Locator): Promise<void> {
    await this.tap(from.getByRole('button', { name: 'Demo wallet' }));
    for (const [question, button] of [
      ['Connect this page?', 'Connect'],
      ['Sign this text?', 'Sign'],
    ] as const)
      await this.tap(
        this.page.getByRole('dialog', { name: question }).getByRole('button', { name: button, exact: true }),
      );
  }

  /** Prints the taps of a task, and holds them to a limit. */
  done(task: string, most: number): void {
    const figures = `${task}: ${this.taps} taps`;
    console.log(figures);
    test.info().annotations.push({ type: 'figures', description: figures });
    expect(this.taps, figures).toBeLessThanOrEqual(most);
  }
}

test('what did I get', async ({ page, stage }) => {
  const { paid, symbol } = await stage.settled();
  const finger = new Finger(page);
  await page.goto('/');
  await finger.tap(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'My rewards' }));
  const wallet = page.getByLabel('Wallet address');
  await finger.tap(wallet);
  await wallet.fill(paid);
  await finger.tap(page.getByRole('button', { name: 'Look up' }));
  const rewards = page.getByRole('main').getByRole('listitem').filter({ hasText: symbol });
  await expect(rewards.filter({ hasText: 'Received' })).toBeVisible();
  finger.done('What did I get', 3);
});

test('when is the next payout', async ({ page, stage }) => {
  const { mintAddress } = await stage.traded();
  const finger = new Finger(page);
  await page.goto(`/t/${mintAddress}`);
  await finger.tap(
    page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Next' }),
  );
  await expect(
    page.getByRole('region', { name: 'Next distribution' }).getByText('Tax waiting'),
  ).toBeInViewport();
  finger.done('When is the next payout', 1);
});

test('is the promise of this token fixed', async ({ page, stage }) => {
  const { mintAddress } = await stage.traded();
  const finger = new Finger(page);
  await page.goto(`/t/${mintAddress}`);
  await finger.tap(
    page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'What can change' }),
  );
  await expect(page.locator('#facts')).toBeInViewport();
  await expect(page.locator('#facts')).toContainText('The tax is fixed at');
  finger.done('Is the promise of this token fixed', 1);
});

test('buy for 0.1 SOL, up to the signature', async ({ page, stage, watch }) => {
  // The chain has no program for the curve, so the purchase cannot be simulated.
  watch.allow(/status of 4\d\d/);
  const { mintAddress } = await stage.marketed();
  const finger = new Finger(page);
  await page.goto(`/t/${mintAddress}`);
  await finger.tap(page.getByRole('button', { name: 'Buy or sell' }));
  await finger.signIn(page.getByRole('region', { name: 'Sign in' }));
  await finger.tap(page.getByRole('button', { name: '0.1 SOL', exact: true }));
  await expect(page.getByLabel('SOL to pay')).toHaveValue('0.1');
  await finger.tap(page.getByRole('button', { name: 'Review purchase' }));
  finger.done('Buy for 0.1 SOL, up to the signature', 6);
});

test('claim all', async ({ page, request, stage }) => {
  const { paid, mintAddress } = await stage.settled();
  const { tokens } = (await fetched(request, `/holders/${paid}?mints=${mintAddress}`)) as {
    tokens: Answer[];
  };
  const owed = (mint: string, name: string): Answer => ({
    ...tokens[0],
    mint,
    name,
    symbol: name,
    owed: '50000000',
    reserved: '0',
    lastRun: null,
  });
  const list = [owed(mintAddress, 'CRANE'), owed(paid, 'TIDE')];
  await page.route(
    (url) => /^\/holders\/[^/]+$/.test(url.pathname),
    (route) => route.fulfill({ json: { wallet: paid, tokens: list, complete: true, nextCursor: null } }),
  );
  await page.route(
    (url) => /^\/holders\/[^/]+\/claims$/.test(url.pathname),
    (route) =>
      route.fulfill({
        status: 202,
        json: {
          claims: list.map(({ mint }) => ({ mint, status: 'accepted', assets: [], problem: null })),
          feeLamports: '28000',
        },
      }),
  );
  const finger = new Finger(page);
  await page.goto('/rewards');
  await finger.tap(page.getByRole('button', { name: 'Connect wallet' }));
  await finger.signIn(page.getByRole('dialog', { name: 'Your wallet' }));
  await finger.tap(page.getByRole('button', { name: 'Claim all, from 2 tokens' }));
  await expect(page.getByText('2 tokens pay you within minutes')).toBeVisible();
  finger.done('Claim all', 5);
});
