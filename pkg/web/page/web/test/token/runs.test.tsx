import type { Schemas } from 'tokenlaunch/api';
import './page';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Summary, useRuns } from '../../src/token/runs/runs';
import { RunTable, Status, worthARow } from '../../src/token/runs/table';
import { reasonWords, statusWords } from '../../src/token/runs/words';
import { examples } from './examples';
import { at, service } from './service';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const { token } = examples;
const settled = examples.runs.runs[0] as Summary;
const run = (n: number, change: Partial<Summary> = {}): Summary => ({
  ...settled,
  id: `6d2f6a1c-7b11-5b53-9d0e-${String(n).padStart(12, '0')}`,
  scheduledAt: new Date(Date.UTC(2026, 2, 2, n)).toISOString(),
  ...change,
});
const path = `/distribution/${token.mintAddress}/runs`;

function Table(props: { token: Schemas['Token'] }) {
  return <RunTable token={props.token} runs={useRuns(props.token.mintAddress)} />;
}

describe('the distributions', () => {
  it('open the one that the address names, and name the opened one', async () => {
    const list = Array.from({ length: 14 }, (_, i) => run(20 - i));
    service(at(path, { runs: list, nextCursor: null }));
    history.replaceState(null, '', `#run-${run(8).id}`);
    render(<Table token={token} />);
    const opened = await screen.findByRole('button', { expanded: true });
    expect(opened.getAttribute('aria-controls')).toBe(`run-${run(8).id}`);
    fireEvent.click(opened);
    expect(location.hash).toBe('#runs');
  });

  it('that paid nothing out are folded, except the newest and the opened one', () => {
    const items = [
      run(9, { status: 'skipped' }),
      run(8, { status: 'skipped' }),
      run(7),
      run(6, { status: 'failed' }),
      run(5, { status: 'skipped' }),
    ];
    const shown = (open: string | null) => worthARow(items, open).map((r) => r.scheduledAt.slice(11, 13));
    expect(shown(null)).toEqual(['09', '07', '06']);
    expect(shown(run(5).id)).toEqual(['09', '07', '06', '05']);
  });

  it('say how they stand, and why, in words', () => {
    for (const status of Object.keys(statusWords) as Summary['status'][]) {
      const { container } = render(<Status run={{ status, reason: null }} />);
      expect(container.textContent).toBe(statusWords[status]);
      cleanup();
    }
    for (const code of Object.keys(reasonWords)) {
      const { container } = render(
        <Status run={{ status: 'skipped', reason: { code, detail: 'Send 0.02 SOL.' } }} />,
      );
      expect(container.textContent).toContain(reasonWords[code]);
      // Only this one's detail names what the creator can do.
      expect(container.textContent?.includes('Send 0.02 SOL.')).toBe(code === 'wallet_too_low');
      cleanup();
    }
    const { container } = render(
      <Status run={{ status: 'failed', reason: { code: 'new_word', detail: 'A sentence.' } }} />,
    );
    expect(container.textContent).toBe('StoppedA sentence.');
  });

  it('unfold to steps with links and sums that add up', async () => {
    service(at(path, { runs: [settled], nextCursor: null }), at(`${path}/${settled.id}`, examples.run));
    render(<Table token={token} />);
    const button = await screen.findByRole('button', { expanded: false });
    fireEvent.click(button);
    await screen.findByText('Step by step');
    expect(button.getAttribute('aria-expanded')).toBe('true');
    const links = screen.getAllByRole('link').map((a) => a.getAttribute('href'));
    for (const step of examples.run.steps)
      if (step.signature) expect(links).toContain(`https://explorer.test/tx/${step.signature}`);
    // Links to parts of this page open no window.
    for (const a of screen.getAllByRole('link'))
      if (!a.getAttribute('href')?.startsWith('#')) expect(a.getAttribute('rel')).toContain('noopener');
    expect(screen.getByText(/Both sides are 0.110204411 SOL/)).toBeTruthy();
  });

  it('show it when the sums do not add up', async () => {
    const wrong = structuredClone(examples.run);
    if (wrong.statements[0]) wrong.statements[0].closing = '18864663';
    service(at(path, { runs: [settled], nextCursor: null }), at(`${path}/${settled.id}`, wrong));
    render(<Table token={token} />);
    fireEvent.click(await screen.findByRole('button', { expanded: false }));
    expect(await screen.findByText(/do not add up/)).toBeTruthy();
    expect(screen.queryByText(/Both sides are/)).toBeNull();
  });

  it('are fetched page by page', async () => {
    const first = Array.from({ length: 12 }, (_, i) => run(40 - i));
    const asked = service((url) =>
      url.pathname !== path
        ? undefined
        : {
            body: url.searchParams.get('cursor')
              ? { runs: [run(1)], nextCursor: null }
              : { runs: first, nextCursor: 'abc' },
          },
    );
    const { container } = render(<Table token={token} />);
    const rows = () => within(container.querySelector('tbody') as HTMLElement).getAllByRole('button').length;
    await screen.findByText('Show older');
    expect(rows()).toBe(10);
    fireEvent.click(screen.getByText('Show older'));
    await vi.waitFor(() => expect(rows()).toBe(13));
    expect(asked.filter((a) => a.includes('cursor=abc'))).toHaveLength(1);
    expect(screen.queryByText('Show older')).toBeNull();
  });

  it('say what is wrong, and keep what was there', async () => {
    service(
      at(
        path,
        {
          type: 'x',
          title: 'x',
          status: 429,
          detail: 'Too many requests.',
          code: 'rate_limit_exceeded',
          requestId: 'r',
          retryAfter: 60,
        },
        429,
      ),
    );
    render(<Table token={token} />);
    expect(await screen.findByText('Too many requests in a short time.')).toBeTruthy();
    expect(screen.getByText(/Trying again in 1:00/)).toBeTruthy();
  });
});
