import './page';
import { cleanup, render, screen } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetAll } from '../../src/api/cache';
import { Page } from '../../src/pages/token';
import { examples } from './examples';
import { at, service } from './service';
import calls from './view.json' with { type: 'json' };

const { token } = examples;
const mint = token.mintAddress;

beforeEach(() => history.pushState(null, '', `/t/${mint}`));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const others = [
  at(`/distribution/${mint}/runs`, { runs: [], nextCursor: null }),
  at(`/distribution/${mint}/preview`, examples.preview),
  at(`/burns/${mint}`, { ...examples.burns, burns: [], totalBurned: '0' }),
  at(`/distribution/${mint}/handover`, examples.handover),
  at(`/distribution/${mint}/changes`, { changes: [], nextCursor: null }),
];

/** Puts a record where the server writes it. */
function write(record: unknown): void {
  const block = document.createElement('script');
  block.type = 'application/json';
  block.id = 'record';
  block.textContent = JSON.stringify(record);
  document.head.append(block);
}

describe('a view of a token', () => {
  afterEach(() => document.getElementById('record')?.remove());

  // The end-to-end test of the rate limit makes the calls of this file, 200 times.
  it('makes the calls that are on file, and shows the written record at once', async () => {
    // Nothing is in sight yet.
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        observe() {}
        disconnect() {}
      },
    );
    write({ ...token, launchpad: null });
    const asked = service(...others);
    render(<Page />);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain(token.name);
    await screen.findByText('Tax waiting');
    expect(asked.sort()).toEqual(calls.map((path) => path.replace('{mintAddress}', mint)));
  });

  it('asks for burns once they are in sight', async () => {
    let see = (_: boolean) => {};
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(told: (entries: { isIntersecting: boolean }[]) => void) {
          see = (isIntersecting) => told([{ isIntersecting }]);
        }
        observe() {}
        disconnect() {}
      },
    );
    write({ ...token, launchpad: null });
    const asked = service(...others);
    render(<Page />);
    await screen.findByText('Tax waiting');
    see(false);
    expect(asked.some((path) => path.startsWith('/burns'))).toBe(false);
    see(true);
    await screen.findByText('Nothing has been burned yet.');
  });

  it('asks for a record that is of another token', async () => {
    write({ ...token, mintAddress: 'another' });
    const asked = service(at(`/tokens/${mint}`, { ...token, launchpad: null }), ...others);
    render(<Page />);
    await screen.findByText('Tax waiting');
    expect(asked).toContain(`/tokens/${mint}`);
  });
});

describe('the page of a token', () => {
  it('reports that there is no such token', async () => {
    service(
      at(
        `/tokens/${mint}`,
        { type: 'x', title: 'x', status: 404, detail: 'x', code: 'token_not_found', requestId: 'r' },
        404,
      ),
    );
    render(<Page />);
    expect(await screen.findByText('Token not found')).toBeTruthy();
  });

  it('does not ask for what is no address', () => {
    history.pushState(null, '', '/t/hello');
    const asked = service();
    render(<Page />);
    expect(screen.getByText('Token not found')).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it('keeps to itself what strangers wrote of a hidden token', async () => {
    service(
      at(`/tokens/${mint}`, {
        ...token,
        visible: false,
        description: 'Buy me',
        website: 'https://bad.example',
      }),
      ...others,
    );
    const { container } = render(<Page />);
    expect(await screen.findByText('This token was removed from our lists.')).toBeTruthy();
    expect(container.textContent).not.toContain('Buy me');
    expect(container.innerHTML).not.toContain('bad.example');
    expect(container.querySelector('img')).toBeNull();
    expect(await screen.findByText('Next distribution')).toBeTruthy();
  });

  it('shows no link that does not lead to the web', async () => {
    service(
      at(`/tokens/${mint}`, {
        ...token,
        website: 'javascript:alert(1)',
        twitter: 'https://x.com/a',
        launchpad: null,
      }),
      ...others,
    );
    const { container } = render(<Page />);
    const link = (await screen.findByText('x.com/a')) as HTMLAnchorElement;
    expect(link.rel).toBe('noopener noreferrer nofollow');
    expect(container.innerHTML).not.toContain('javascript:');
  });

  it('shows that a launch is not decided, or has failed', async () => {
    const asked = service(at(`/tokens/${mint}`, { ...token, status: 'submitted' }));
    render(<Page />);
    expect(await screen.findByText('Waiting for confirmation.')).toBeTruthy();
    expect(asked).toEqual([`/tokens/${mint}`]);
    cleanup();
    forgetAll();
    service(at(`/tokens/${mint}`, { ...token, status: 'failed' }));
    render(<Page />);
    expect(await screen.findByText('This launch failed.')).toBeTruthy();
    expect(screen.queryByText('No more can be minted.')).toBeNull();
  });

  it('says who has the tax and when its distributions end', async () => {
    service(
      at(`/tokens/${mint}`, { ...token, launchpad: null, windsDownAt: '2026-12-07T09:00:00Z' }),
      at(`/distribution/${mint}/handover`, { ...examples.handover, status: 'done', newAuthority: mint }),
      ...others,
    );
    render(<Page />);
    expect(await screen.findByText(/^The tax was handed over to the address/)).toBeTruthy();
    expect(screen.getByText(/ends this token’s distributions from 7 Dec 2026/)).toBeTruthy();
  });

  it('continues when one part has trouble', async () => {
    service(at(`/tokens/${mint}`, { ...token, launchpad: null }), ...others.slice(1));
    const { container } = render(<Page />);
    expect(await screen.findByText('No such path.')).toBeTruthy();
    expect(await screen.findByText('Nothing has been burned yet.')).toBeTruthy();
    expect(container.textContent).toContain('Tax waiting');
  });
});
