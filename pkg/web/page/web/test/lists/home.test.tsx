import '../token/page';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Search } from '../../src/lists/search';
import { readView, viewLink } from '../../src/lists/view';
import { rewards, tax } from '../../src/lists/words';
import { Page } from '../../src/pages/home';
import { digits } from '../../src/token/curve/price';
import { moment } from '../../src/ui/clock';
import { basisPoints, percent } from '../../src/ui/percent';
import { examples } from '../token/examples';

/** What the service answers by path; a function is asked. */
const answers = new Map<string, () => Response>();
let asked: string[] = [];

const json = (body: unknown, status = 200, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });

beforeEach(() => {
  answers.clear();
  asked = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const url = new URL(request.url);
    asked.push(url.pathname + url.search);
    return answers.get(url.pathname)?.() ?? json({ code: 'not_found', detail: 'No such path.' }, 404);
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const open = (search: string) => {
  history.replaceState(null, '', `/${search}`);
  return render(<Page />);
};
const list = (tokens: unknown[], page = 1, totalPages = 1) =>
  json({
    tokens,
    pagination: { page, limit: 24, total: tokens.length, totalPages, hasNext: page < totalPages },
  });

describe('the address of a list', () => {
  it('is read and written', () => {
    for (const text of [
      '/',
      '/?page=3',
      '/?list=featured',
      '/?list=launchpad',
      '/?list=launchpad&after=MTc',
      '/?list=paid&page=2',
      '/?list=volume',
      '/?q=paper+crane',
      '/?q=a&page=2',
    ])
      expect(viewLink(readView(text.slice(1)))).toBe(text);
  });
  it('falls back to the beginning', () => {
    for (const bad of [
      '?page=0',
      '?page=-1',
      '?page=x',
      '?page=1e9',
      '?list=x',
      '?list=launchpad&after=a%20b',
      '?after=MTc',
      '?q=%20',
      `?q=${'a'.repeat(33)}`,
    ])
      expect(readView(bad)).toEqual({
        list: bad.includes('launchpad') ? 'launchpad' : 'newest',
        page: 1,
        after: null,
        q: null,
      });
  });
});

describe('the newest tokens', () => {
  it('are shown with what they do, and lead to their pages', async () => {
    answers.set('/tokens', () => list([examples.token], 2, 3));
    open('?page=2');
    const link = await screen.findByRole('link', { name: examples.token.name });
    expect(link.getAttribute('href')).toBe(`/t/${examples.token.mintAddress}`);
    const card = link.closest('li') as HTMLElement;
    within(card).getByText(tax(examples.token));
    within(card).getByText(rewards(examples.token));
    const picture = card.querySelector('img');
    expect([picture?.getAttribute('width'), picture?.getAttribute('loading')]).toEqual(['512', 'lazy']);
    expect(asked.filter((path) => path !== '/stats')).toEqual(['/tokens?page=2&limit=12']);
    expect(screen.getByRole('link', { name: 'Back' }).getAttribute('href')).toBe('/');
    expect(screen.getByRole('link', { name: 'More' }).getAttribute('href')).toBe('/?page=3');
    screen.getByText('Page 2 of 3');
  });
  it('say so when there are none', async () => {
    answers.set('/tokens', () => list([], 1, 0));
    open('');
    await screen.findByText(/No tokens yet/);
    expect(screen.queryByRole('link', { name: 'More' })).toBeNull();
  });
  it('say when they are asked for again', async () => {
    let calls = 0;
    answers.set('/tokens', () =>
      calls++
        ? list([examples.token])
        : json({ code: 'rate_limit_exceeded', detail: 'Too many.', retryAfter: 1 }, 429),
    );
    open('');
    await screen.findByText('Too many requests in a short time.');
    screen.getByText(/Trying again in/);
    await waitFor(() => screen.getByRole('link', { name: examples.token.name }));
    expect(screen.queryByRole('alert')).toBeNull();
  });
  it('show letters where a picture is not there or not a web address', async () => {
    answers.set('/tokens', () => list([{ ...examples.token, imageUrl: 'javascript:alert(1)' }]));
    const { container } = open('');
    await screen.findByRole('link', { name: examples.token.name });
    expect(container.querySelector('img')).toBeNull();
  });
});

describe('other lists of tokens', () => {
  for (const [search, call, says] of [
    ['?q=crane&page=2', '/tokens?page=2&limit=12&q=crane', /Anyone can use any name/],
    ['?list=paid', '/tokens?page=1&limit=12&sort=paid', /By the SOL that their holders were paid/],
    ['?list=volume', '/tokens?page=1&limit=12&sort=volume', /Anyone can trade with themselves/],
  ] as const)
    it(`are asked for by ${search}`, async () => {
      answers.set('/tokens', () => list([examples.token], 2, 3));
      open(search);
      await screen.findByRole('link', { name: examples.token.name });
      screen.getByText(says);
      expect(asked).toContain(call);
      const more = screen.getByRole('link', { name: 'More' }).getAttribute('href');
      expect(readView(more?.slice(1) ?? '')).toEqual({
        ...readView(search),
        page: readView(search).page + 1,
      });
    });
});

describe('what holders were paid', () => {
  const proof = { cid: 'bafy', uri: 'ipfs://bafy', url: 'https://ipfs.example/ipfs/bafy' };
  const run = {
    runId: 'r',
    mintAddress: examples.token.mintAddress,
    paid: '48000000',
    settledAt: '2026-03-02T10:01:12.000Z',
    proof,
  };
  const asset = (id: string, decimals: number, paid: string) => ({
    asset: id,
    decimals,
    paid,
    runs: 1,
    lastDay: { since: '2026-03-01T11:00:00.000Z', paid: '1500000', runs: 1 },
    proofs: [run],
  });
  it('is shown with its proofs, also where it is longer than 64 bits', async () => {
    answers.set('/tokens', () => list([]));
    answers.set('/stats', () =>
      json({
        asOf: run.settledAt,
        tokens: 1,
        runs: 3021,
        assets: [
          asset('SOL', 9, '1180591620717411303424'),
          asset('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 6, '7'),
        ],
      }),
    );
    open('');
    await screen.findByText('1,180,591,620,717 SOL');
    screen.getByText('0.0015 SOL in the last day');
    screen.getByText('0.000007 USDC');
    screen.getByText('1.5 USDC in the last day');
    screen.getByText(/3,021 proven runs of 1 token/);
    expect(screen.getByLabelText('Proof of run r').getAttribute('href')).toMatch(/^\/t\/\w+#run-r$/);
  });
  it('says so while nothing is paid', async () => {
    answers.set('/tokens', () => list([]));
    answers.set('/stats', () => json({ asOf: run.settledAt, tokens: 0, runs: 0, assets: [] }));
    open('');
    await screen.findByText(/Nothing yet. The first payout/);
  });
  it('is left out when the request fails', async () => {
    answers.set('/tokens', () => list([]));
    open('');
    await screen.findByText(/No tokens yet/);
    expect(screen.queryByText('Paid to holders')).toBeNull();
  });
});

describe('the launchpad', () => {
  const { curve } = examples;
  it('shows how much is collected, also of tokens that are not from here', async () => {
    answers.set('/launchpad', () => json({ launchpad: [{ ...curve, token: undefined }], nextCursor: 'MTc' }));
    open('?list=launchpad');
    const bar = (await screen.findByRole('progressbar')) as HTMLProgressElement;
    expect(bar.value).toBeCloseTo(curve.progress / 100);
    screen.getByText(
      `${digits(curve.solCollected, 4)} of ${curve.targetMarketCap} SOL (${percent(basisPoints(curve.progress))})`,
    );
    expect(screen.getByRole('link', { name: 'More' }).getAttribute('href')).toBe(
      '/?list=launchpad&after=MTc',
    );
    expect(screen.getByRole('heading', { level: 3 }).textContent).toContain('…');
  });
  it('says when a curve opens, until it has', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const startsAt = new Date(Date.now() + 60_000).toISOString();
    const [later, now] = [
      { ...curve, startsAt },
      { ...curve, bondingCurveId: 'another' },
    ];
    answers.set('/launchpad', () => json({ launchpad: [later, now], nextCursor: null }));
    open('?list=launchpad');
    await screen.findByText(`Opens ${moment(startsAt)}. Until then, it takes no trades.`);
    await act(async () => void (await vi.advanceTimersByTimeAsync(61_000)));
    expect(screen.queryByText(/^Opens/)).toBeNull();
    vi.useRealTimers();
  });
  it('names each token without another call', async () => {
    const launchpad = [1, 2, 3].map((n) => ({
      ...curve,
      bondingCurveId: `curve ${n}`,
      token: { ...examples.token, name: `Crane ${n}` },
    }));
    answers.set('/launchpad', () => json({ launchpad, nextCursor: null }));
    open('?list=launchpad');
    for (const { token } of launchpad) await screen.findByRole('link', { name: token.name });
    expect(asked.filter((path) => path !== '/stats')).toEqual(['/launchpad?limit=12']);
  });
});

describe('finding a token', () => {
  const mint = examples.token.mintAddress;
  for (const typed of [
    mint,
    ` ${mint}\n`,
    `https://launch.example/t/${mint}`,
    `https://launch.example/t/${mint}?x=1`,
  ])
    it(`goes to its page from ${JSON.stringify(typed)}`, () => {
      const go = vi.fn();
      render(<Search go={go} />);
      fireEvent.input(screen.getByLabelText(/Find a token/), { target: { value: typed } });
      fireEvent.click(screen.getByRole('button', { name: 'Find' }));
      expect(go).toHaveBeenCalledWith(`/t/${mint}`);
    });
  it('shows what is wrong, and keeps what was typed', () => {
    const go = vi.fn();
    render(<Search go={go} />);
    const input = screen.getByLabelText(/Find a token/) as HTMLInputElement;
    const long = 'x'.repeat(33);
    fireEvent.input(input, { target: { value: long } });
    fireEvent.click(screen.getByRole('button', { name: 'Find' }));
    screen.getByText(/neither an address/);
    expect([input.value, input.getAttribute('aria-invalid')]).toEqual([long, 'true']);
    expect(go).not.toHaveBeenCalled();
    fireEvent.input(input, { target: { value: ' Paper Crane ' } });
    fireEvent.click(screen.getByRole('button', { name: 'Find' }));
    expect(go).toHaveBeenCalledWith('/?q=Paper+Crane');
  });
});

describe('what a card says', () => {
  const { settings } = examples.token;
  it('is of the tax and of what the holders get', () => {
    expect(rewards({ ...examples.token, settings: { ...settings, distributionInterval: '24h' } })).toBe(
      'Pays SOL every day',
    );
    expect(rewards({ ...examples.token, settings: { ...settings, distributionEnabled: false } })).toMatch(
      /paused/,
    );
    expect(tax({ ...examples.token, transferFeePercent: 2.5, transferFeeAdjustable: true })).toBe(
      '2.5% tax (adjustable)',
    );
    expect(rewards({ ...examples.token, transferFeePercent: 0, transferFeeAdjustable: false })).toBe(
      'No tax, so nothing to pay out',
    );
  });
});
