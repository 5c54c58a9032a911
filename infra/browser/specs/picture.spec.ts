import { type Answer, answering, fetched, listOf } from '../fixtures/fake';
import { expect, test } from '../fixtures/test';

/*
 * Takes the picture of the page that the README shows: PICTURE=1 make browser ARGS=picture
 * Its tokens are made up, for those of the tests all have one picture.
 */
test.skip(!process.env.PICTURE, 'takes the picture of the README when PICTURE is set');

const art = (ground: string, shapes: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="${ground}"/>${shapes}</svg>`;

const tokens = [
  [
    'Paper Crane',
    'CRANE',
    5,
    '1h',
    art(
      '#f3d9b1',
      '<path fill="#c8452f" d="m8 40 22-8L56 8 38 40z"/><path fill="#e8694c" d="m30 32 8 8-6 16-8-14z"/><path fill="#a8321f" d="m8 40 22-8-6 10z"/>',
    ),
  ],
  ['Slow Mail', 'MAIL', 3, '24h', ''],
  [
    'Night Harbour',
    'NIGHT',
    2.5,
    '6h',
    art(
      '#1c2b52',
      '<circle cx="44" cy="20" r="9" fill="#f4e3a1"/><path fill="#35508f" d="M0 42q8-6 16 0t16 0 16 0 16 0v22H0z"/><path fill="#6f8fd0" d="M0 52q8-6 16 0t16 0 16 0 16 0v12H0z"/>',
    ),
  ],
  ['Copper Fern', 'FERN', 4, '30m', ''],
] as const;

test('the page with its tokens', async ({ page, request, stage, baseURL }) => {
  const record = await fetched(request, `/tokens/${(await stage.traded()).mintAddress}`);
  const mints = [
    '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
    '8sLhuH3TKG1tao2fvqFrd2agZMkELDAoawpjvF5LaEtx',
  ];
  const list: Answer[] = tokens.map(
    ([name, symbol, transferFeePercent, distributionInterval, picture], i) => ({
      ...record,
      id: `00000000-0000-4000-8000-00000000000${i}`,
      mintAddress: i === 1 ? mints[0] : i === 3 ? mints[1] : record.mintAddress,
      name,
      symbol,
      transferFeePercent,
      settings: { ...(record.settings as Answer), distributionInterval },
      imageUrl: picture ? `${baseURL}/demo/${i}.svg` : null,
    }),
  );
  await answering(page, '/tokens', listOf(list));
  await page.route('**/demo/*.svg', (route) => {
    const i = Number(/(\d)\.svg$/.exec(route.request().url())?.[1]);
    return route.fulfill({ contentType: 'image/svg+xml', body: tokens[i]?.[4] ?? '' });
  });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 1270 });
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect(page.getByText('Copper Fern')).toBeVisible();
  await page.screenshot({ path: '../../.build/browser/page.png', animations: 'disabled' });
});
