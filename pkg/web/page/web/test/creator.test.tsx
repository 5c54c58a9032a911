import './token/page';
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { forgetAll } from '../src/api/cache';
import { Page } from '../src/pages/creator';
import { examples } from './token/examples';
import { at, service } from './token/service';

const { token } = examples;
const paused = {
  ...token,
  id: 'b',
  figures: undefined,
  settings: { ...token.settings, distributionEnabled: false },
};
const list = (total: number) => ({
  tokens: [token, paused],
  pagination: { page: 1, limit: 12, total, totalPages: Math.ceil(total / 12), hasNext: total > 12 },
});

afterEach(() => {
  cleanup();
  forgetAll();
  vi.unstubAllGlobals();
});

describe('the page of a creator', () => {
  it('lists the tokens with what they paid, and counts those that paid or are paused', async () => {
    history.pushState(null, '', `/c/${token.creator}`);
    const asked = service(at('/tokens', list(2)));
    const { container } = render(<Page />);
    expect(await screen.findByText('2.97 SOL paid, 1.56 SOL in 24 h')).toBeTruthy();
    expect(asked).toEqual([`/tokens?creator=${token.creator}&page=1&limit=12`]);
    const said = [...container.querySelectorAll('.figures > div')].map((row) => row.textContent);
    expect(said).toEqual(['Tokens2', 'of them paid holders1', 'of them paused payouts1']);
    expect(screen.getByText('Payouts paused')).toBeTruthy();
  });

  it('shows what the creator changed and paused, newest first, when a visitor asks', async () => {
    history.pushState(null, '', `/c/${token.creator}`);
    const [first] = examples.changes.changes;
    if (!first) throw new Error('The document shows no change');
    const pause = {
      ...first,
      version: first.version + 1,
      orderedAt: '2026-03-05T00:00:00.000Z',
      changed: [{ field: 'distributionEnabled' as const, before: 'true', after: 'false' }],
    };
    const path = `/distribution/${token.mintAddress}/changes`;
    const asked = service(
      at('/tokens', { ...list(1), tokens: [token] }),
      at(path, { changes: [first, pause], nextCursor: null }),
    );
    const { container } = render(<Page />);
    const summary = await screen.findByText('Changes and pauses of these tokens');
    expect(asked).toHaveLength(1);
    const details = summary.closest('details') as HTMLDetailsElement;
    details.open = true;
    fireEvent(details, new Event('toggle'));
    expect(await screen.findByText('Payouts: from on to paused')).toBeTruthy();
    expect([...container.querySelectorAll('.changes > li > ul')].map((one) => one.textContent)).toEqual([
      'Payouts: from on to paused',
      'Burned: from 10% to 20%',
    ]);
    expect(asked[1]).toBe(`${path}?limit=5`);
    expect(screen.getAllByText(token.symbol).at(-1)?.closest('a')?.getAttribute('href')).toBe(
      `/t/${token.mintAddress}#changes`,
    );
  });

  it('names the tokens that it counted when there are more', async () => {
    history.pushState(null, '', `/c/${token.creator}?page=2`);
    const asked = service(at('/tokens', list(30)));
    render(<Page />);
    expect(await screen.findByText('of the 2 on this page paid holders')).toBeTruthy();
    expect(asked[0]).toContain('page=2');
    expect(screen.getByText('More').getAttribute('href')).toBe(`/c/${token.creator}?page=3`);
    expect(screen.getByText('Back').getAttribute('href')).toBe(`/c/${token.creator}`);
  });

  it('asks nothing about what is no address', () => {
    history.pushState(null, '', '/c/hello');
    const asked = service();
    render(<Page />);
    expect(screen.getByText(/does not contain a wallet/)).toBeTruthy();
    expect(asked).toEqual([]);
  });
});
