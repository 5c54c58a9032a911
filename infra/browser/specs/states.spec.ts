import { type Answer, answering, fetched, listOf, unwritten } from '../fixtures/fake';
import { lookAround } from '../fixtures/look';
import { expect, test } from '../fixtures/test';

// States that take a long time, or a failure, to come about: the answers are made of real ones.

test('lists say that they are empty', async ({ page }) => {
  await answering(page, '/tokens', listOf([]));
  await page.goto('/');
  await expect(page.getByText('No tokens yet')).toBeVisible();
  await lookAround(page, 'home-empty');
});

test('lists say that the service is down', async ({ page, watch }) => {
  watch.allow(/status of 503/);
  const detail = 'The service is starting. Try again in a moment.';
  await answering(page, '/tokens', { title: 'Unavailable', status: 503, code: 'unavailable', detail }, 503);
  await page.goto('/');
  await expect(page.getByRole('alert')).toContainText(detail);
  await lookAround(page, 'home-down');
});

const states: readonly (readonly [name: string, change: Answer, shown: string])[] = [
  ['waiting', { status: 'submitted' }, 'Waiting for confirmation.'],
  ['failed', { status: 'failed' }, 'This launch failed.'],
  ['open', { transferFeeAdjustable: true, immutableMetadata: false }, 'The record contradicts itself'],
  ['hidden', { visible: false, description: null, website: null }, 'This token was removed from our lists'],
];
for (const [name, change, shown] of states)
  test(`a token that is ${name} is shown as such`, async ({ page, request, stage }) => {
    const token = await stage.traded();
    const record = await fetched(request, `/tokens/${token.mintAddress}`);
    await unwritten(page, token.mintAddress);
    await answering(page, `/tokens/${token.mintAddress}`, { ...record, ...change });
    await page.goto(`/t/${token.mintAddress}`);
    await expect(page.getByText(shown).first()).toBeVisible();
    await lookAround(page, `token-${name}`);
  });

test('a token without a picture has one drawn of its address', async ({ page, request, stage }) => {
  const token = await stage.traded();
  const record = await fetched(request, `/tokens/${token.mintAddress}`);
  await unwritten(page, token.mintAddress);
  await answering(page, `/tokens/${token.mintAddress}`, { ...record, imageUrl: null });
  await page.goto(`/t/${token.mintAddress}`);
  await expect(page.locator('svg.picture')).toBeVisible();
  await lookAround(page, 'token-no-picture');
});

const reward = (i: number): bigint =>
  40_000_000n + BigInt(Math.round(30_000_000 * Math.sin(i / 9) + 40_000 * i));
/** Distributions of each hour until now, newest first. */
const distributions = (count: number, token: string): Answer[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    tokenId: token,
    mintAddress: token,
    scheduledAt: new Date(Date.UTC(2026, 2, 2, 14) - i * 3_600_000).toISOString(),
    status: 'settled',
    reason: null,
    rewardToken: 'SOL',
    collected: '120000000000',
    burned: String(24_000_000_000n + BigInt(i % 7) * 3_000_000_000n),
    holdersPaid: String(reward(count - i)),
    paidHolders: 400 + ((count - i) % 60),
    creatorPaid: '7000000',
    openedAt: '2026-03-02T14:00:02.000Z',
    endedAt: '2026-03-02T14:01:40.000Z',
    proof: null,
  }));

test('one distribution is told in figures, and many are drawn', async ({ page, stage }) => {
  const { mintAddress } = await stage.traded();
  const runs = page.getByRole('region', { name: 'Distributions', exact: true });
  for (const count of [1, 12, 1000]) {
    await page.unrouteAll();
    await answering(page, `/distribution/${mintAddress}/runs`, {
      runs: distributions(count, mintAddress),
      nextCursor: null,
    });
    await page.goto(`/t/${mintAddress}`);
    await expect(runs).toContainText('Paid to holders');
    await expect(runs.locator('canvas')).toHaveCount(count === 1 ? 0 : 3);
    if (count > 1) {
      const slider = runs.getByRole('slider');
      await expect(slider).toHaveAttribute('aria-valuetext', /to holders|holders,/);
      // As many bars as can be told apart.
      expect(Number(await slider.getAttribute('max'))).toBeLessThan(Math.min(count, 120));
      await slider.press('Home');
      await expect(runs.locator('.readout')).toContainText(count === 1000 ? 'distributions:' : 'burned');
    }
    await page.evaluate(() => scrollTo(0, 0));
    await lookAround(page, `token-history-${count}`);
  }
});
