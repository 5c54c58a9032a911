import '../token/page';
import { cleanup, render, screen, waitFor } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Income } from '../../src/mine/income';
import { readShare, sums } from '../../src/mine/share';
import { document_, examples } from '../token/examples';

const run = (creatorPaid: string, rewardToken = 'SOL') => ({ creatorPaid, rewardToken });
const { token } = examples;
const fees =
  document_.paths['/launchpad/{mintAddress}/fees'].get.responses['200'].content['application/json'].example;
const session = {
  wallet: token.creator,
  token: 'jwt',
  expiresAt: '',
  sign: async (t: Uint8Array) => t,
  signText: async () => new Uint8Array(64),
};
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
const settings = { developerFeePercent: 10, developerWallet: token.creator, creatorSplits: [] };

describe('what distributions paid', () => {
  it('is added up by the reward token, to the unit', () => {
    const many = [run('9007199254740993'), run('0', 'USDC'), run('7', 'x'), run('2'), run('1', 'x')];
    expect(sums(many)).toEqual([
      ['SOL', 9007199254740995n],
      ['x', 8n],
    ]);
    expect(sums([])).toEqual([]);
  });
  it('is read page by page, 500 at most', async () => {
    const asked: (string | null)[] = [];
    const pages = async (limit: number, cursor: string | null) => {
      asked.push(cursor);
      const next = Number(cursor ?? 0) + 1;
      return {
        runs: Array.from({ length: limit }, () => run('1')),
        nextCursor: next < 9 ? String(next) : null,
      };
    };
    expect(await readShare(pages)).toEqual({ sums: [['SOL', 500n]], distributions: 500, more: true });
    expect(asked).toEqual([null, '1', '2', '3', '4']);
    const last = async () => ({ runs: [run('5')], nextCursor: null });
    expect(await readShare(last)).toEqual({ sums: [['SOL', 5n]], distributions: 1, more: false });
  });
});

describe("the creator's income", () => {
  let paid: { runs: unknown[]; nextCursor: string | null };
  let earned: Response;
  beforeEach(() => {
    paid = { runs: [run('1500000000'), run('250000000')], nextCursor: null };
    earned = json(fees);
    vi.stubGlobal('fetch', async (request: Request) =>
      new URL(request.url).pathname.endsWith('/fees') ? earned.clone() : json(paid),
    );
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });
  const show = (changes: object = {}, more: object = {}) =>
    render(
      <Income
        session={session}
        token={{ ...token, launchpad: { status: 'active' }, ...changes } as never}
        settings={{ ...settings, ...more } as never}
      />,
    );
  const claim = () => screen.findByRole('button', { name: 'Review claim' }) as Promise<HTMLButtonElement>;

  it('is the share of the tax and the fees, which can be claimed', async () => {
    const { container } = show();
    await waitFor(() => expect(container.textContent).toContain('1.75 SOL so far.'));
    expect((await claim()).disabled).toBe(false);
    expect(container.textContent).toContain('0.088888889 SOL');
    expect(container.textContent).toContain('0.24 SOL');
    expect(container.textContent).toContain('Your 10% goes to');
  });
  it('has nothing to claim where no trade was made', async () => {
    earned = json({ ...fees, claimableLamports: '0' });
    show();
    expect((await claim()).disabled).toBe(true);
    screen.getByText(/Nothing to claim yet/);
  });
  it('names the wallets that share it', async () => {
    const creatorSplits = [
      { wallet: token.creator, percent: 60 },
      { wallet: token.mintAddress, percent: 40 },
    ];
    paid = { runs: [], nextCursor: null };
    const { container } = show({ launchpad: null }, { creatorSplits });
    await waitFor(() => expect(container.textContent).toContain('Nothing yet.'));
    expect(container.textContent).toContain('Your 10% is split:');
    expect(container.querySelectorAll('li')).toHaveLength(2);
    expect(container.textContent).not.toContain('Trading fees');
  });
  it('shows that a cancelled curve has paid its fees out', async () => {
    earned = json({ status: 409, code: 'launchpad_cancelled', detail: 'Cancelled.' }, 409);
    show({ launchpad: { status: 'cancelled' } });
    await screen.findByText('You cancelled the curve. Its fees were paid out with that.');
  });
});
