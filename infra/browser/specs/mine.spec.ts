import { answering, fetched } from '../fixtures/fake';
import { launch } from '../fixtures/launch';
import { lookAround } from '../fixtures/look';
import { expect, test } from '../fixtures/test';
import { agree, signAndSend } from '../fixtures/wallet';

test('a creator changes settings, pauses, tries their group and buys days', async ({
  page,
  request,
  stage,
}) => {
  const mint = await launch(page, 'Own Token', 'OWN');
  await page.getByRole('link', { name: 'My tokens' }).click();
  await lookAround(page, 'mine-list');
  await page.getByRole('link', { name: 'Own Token' }).click();
  const settings = page.getByRole('region', { name: 'Settings', exact: true });
  const burn = settings.getByLabel(/burn/i);
  await expect(burn).toHaveValue('0');

  // A mistake is told where it is, and stays with the visitor until they fix it.
  await burn.fill('120');
  await burn.blur();
  await expect(burn).toHaveAttribute('aria-invalid', 'true');
  await lookAround(page, 'mine-mistake');
  await burn.fill('12.5');
  await settings.getByLabel(/Telegram/).fill('@own_token_group');
  await page.reload();
  await expect(burn, 'what was written outlives a reload').toHaveValue('12.5');
  await settings.getByRole('button', { name: 'Save changes' }).click();
  await agree(page, 'Sign this text?', 'Reject');
  await expect(settings).toContainText('did not sign, so nothing was saved yet');
  await lookAround(page, 'mine-unsigned');
  await settings.getByRole('button', { name: 'Save changes' }).click();
  const text = page.getByRole('dialog', { name: 'Sign this text?' });
  await expect(text).toContainText(`Token: ${mint}`);
  await expect(text).toContainText('Burn: 1250 basis points');
  await agree(page, 'Sign this text?', 'Sign');
  await expect(settings).toContainText('Version 2 of these settings is signed by your wallet');
  await expect(settings).toContainText(/Saved\. Takes effect with the next distribution, .*\./);
  await lookAround(page, 'mine-saved');
  const record = await (await request.get(`/tokens/${mint}`)).json();
  expect(record.settings.burnPercent).toBe(12.5);

  const telegram = page.getByRole('region', { name: 'Telegram' });
  await telegram.getByRole('button', { name: 'Get a code' }).click();
  await expect(telegram).toContainText(`/link ${mint}_`);
  await telegram.getByRole('button', { name: 'I have posted it' }).click();
  await expect(telegram.getByRole('status').getByText('Not linked yet.')).toBeVisible();

  const state = page.getByRole('region', { name: 'Distribution', exact: true });
  await state.getByRole('button', { name: 'Pause distributions' }).click();
  await agree(page, 'Sign this text?', 'Reject');
  await state.getByRole('button', { name: 'Save without signing' }).click();
  await expect(state).toContainText('Distributions paused.');
  await lookAround(page, 'mine-paused');
  await expect(settings).toContainText('Version 3 of these settings is not signed by your wallet');
  await state.getByRole('button', { name: 'Resume distributions' }).click();
  await agree(page, 'Sign this text?', 'Sign');
  await expect(state).toContainText('Distributions resumed.');

  const featured = page.getByRole('region', { name: 'Featured' });
  await featured.getByLabel('Days').fill('2');
  await featured.getByRole('button', { name: 'Review payment' }).click();
  await expect(featured).toContainText('0.6 SOL');
  await signAndSend(page);
  await expect(featured).toContainText('It starts when the payment is final');
  await lookAround(page, 'mine-featured');
  // The service looks once a minute; here it looks now.
  await stage.featured(mint);
  await expect(featured).toContainText(/Featured until/);
});

test('a creator orders the hand-over of the tax, and cancels it', async ({ page, request }) => {
  const mint = await launch(page, 'Handed Token', 'HND');
  const { creator } = await fetched(request, `/tokens/${mint}`);
  await page.getByRole('link', { name: 'My tokens' }).click();
  await page.getByRole('link', { name: 'Handed Token' }).click();
  const part = page.getByRole('region', { name: 'Hand-over', exact: true });
  await part.getByRole('button', { name: 'Hand over the tax' }).click();
  await part.getByLabel('New owner of the tax').fill(String(creator));
  await part.getByLabel('Not before').fill('2020-01-01T00:00');
  await part.getByRole('button', { name: 'Review hand-over' }).click();
  await expect(part.getByLabel('Not before'), 'a time that is too soon').toHaveAttribute(
    'aria-invalid',
    'true',
  );
  const { delaySeconds } = await fetched(request, `/distribution/${mint}/handover`);
  const at = new Date(Date.now() + (Number(delaySeconds) + 86_400) * 1000);
  await part.getByLabel('Not before').fill(
    await page.evaluate((time) => {
      const there = new Date(time);
      return new Date(time - there.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    }, at.getTime()),
  );
  await part.getByRole('button', { name: 'Review hand-over' }).click();
  await expect(part.getByLabel('New owner of the tax'), 'the form is locked under its review').toBeDisabled();
  await expect(part).toContainText(`New authority over withheld tax: ${creator}`);
  await lookAround(page, 'mine-handover-review');
  await part.getByRole('button', { name: 'Sign hand-over' }).click();
  const text = page.getByRole('dialog', { name: 'Sign this text?' });
  await expect(text).toContainText(`Token: ${mint}`);
  await agree(page, 'Sign this text?', 'Sign');
  await expect(part.getByRole('button', { name: 'Cancel hand-over' })).toBeVisible();
  await lookAround(page, 'mine-handover-ordered');
  expect((await fetched(request, `/distribution/${mint}/handover`)).status).toBe('ordered');
  await part.getByRole('button', { name: 'Cancel hand-over' }).click();
  await expect(part).toContainText(/Your order to .* is cancelled\./);
  expect((await fetched(request, `/distribution/${mint}/handover`)).status).toBe('cancelled');
});

test('a creator sees what a token brings them', async ({ page, request, watch }) => {
  watch.allow(/status of 400/);
  const mint = await launch(page, 'Income Token', 'INC');
  const record = await fetched(request, `/tokens/${mint}`);
  const curve = { bondingCurveId: mint, status: 'active', completedAt: null, progress: 25 };
  await answering(page, `/tokens/${mint}`, { ...record, launchpad: curve });
  await answering(page, `/launchpad/${mint}/fees`, {
    claimableLamports: '88888889',
    claimableTokens: '0',
    claimedLamports: '240000000',
    claimedTokens: '0',
  });
  const candle = (days: number, volume: string) => ({
    time: new Date(Math.floor(Date.now() / 86_400_000 - days) * 86_400_000).toISOString(),
    ...{ open: '0.00000007', high: '0.00000008', low: '0.00000007', close: '0.00000008', volume },
    ...{ volumeLamports: '0', volumeTokens: '0', trades: 17 },
  });
  await answering(page, `/launchpad/${mint}/candles`, {
    mintAddress: mint,
    interval: '1d',
    candles: [candle(0, '4.1264'), candle(1, '1.5'), candle(4, '12.25')],
    nextCursor: null,
  });
  await page.goto(`/mine?token=${mint}`);
  const volume = page.getByLabel(/^Day in the chart: SOL traded on the curve/);
  await volume.press('Home');
  await expect(page.getByText(/: 12\.25 SOL in 17 trades$/)).toBeVisible();
  await volume.press('ArrowRight');
  await expect(page.getByText(/: no trades$/)).toBeVisible();
  const income = page.getByRole('region', { name: 'Your income' });
  await expect(income).toContainText('Nothing yet.');
  await expect(income).toContainText('0.088888889 SOL');
  await expect(income).toContainText('0.24 SOL');
  await lookAround(page, 'mine-income');
  await answering(
    page,
    `/launchpad/${mint}/fees/create-unsigned`,
    {
      title: 'Bad Request',
      status: 400,
      code: 'nothing_to_claim',
      detail: 'The position of this curve has earned no fees since they were last claimed.',
    },
    400,
  );
  await income.getByRole('button', { name: 'Review claim' }).click();
  await expect(income.getByRole('alert')).toContainText('has earned no fees');
});

test('a stranger’s token is not to be changed', async ({ page, stage, watch }) => {
  watch.allow(/status of 403/);
  const token = await stage.traded();
  await launch(page, 'Mine Alone', 'ALONE');
  await page.goto(`/mine?token=${token.mintAddress}`);
  await expect(page.getByText('This token was launched by another wallet')).toBeVisible();
});
