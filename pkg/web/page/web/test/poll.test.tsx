import './token/page';
import { act, cleanup, render } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Distributions } from '../src/token/distributions';
import { usePoll } from '../src/ui/poll';
import { examples } from './token/examples';
import { at, service } from './token/service';

const { token, preview } = examples;
const mint = token.mintAddress;
const runs = `/distribution/${mint}/runs`;
const next = `/distribution/${mint}/preview`;
const slot = Date.parse(preview.scheduledAt as string);

let hidden = false;
beforeEach(() => {
  hidden = false;
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
  vi.useFakeTimers({ now: slot - 60_000 });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Lets time pass, second by second, as a browser does. */
async function pass(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 1_000)
    await act(async () => {
      await vi.advanceTimersByTimeAsync(Math.min(left, 1_000));
    });
}

describe('looking again', () => {
  function Poll(props: { again: () => void }) {
    usePoll(props.again, 10_000);
    return null;
  }
  it('happens while the page is visible, and at once when it is visible again', async () => {
    const again = vi.fn();
    render(<Poll again={again} />);
    await pass(35_000);
    expect(again).toHaveBeenCalledTimes(3);
    hidden = true;
    await pass(100_000);
    expect(again).toHaveBeenCalledTimes(3);
    hidden = false;
    document.dispatchEvent(new Event('visibilitychange'));
    expect(again).toHaveBeenCalledTimes(4);
  });
});

describe('the distributions of an open page', () => {
  const settled = { ...examples.runs.runs[0], scheduledAt: preview.scheduledAt };
  const count = (asked: readonly string[], path: string) =>
    asked.filter((a) => a.startsWith(`${path}?`) || a === path).length;

  it('are asked for when the slot comes, and then until the distribution has ended', async () => {
    let status = 'none';
    const asked = service(
      (url) =>
        url.pathname === runs
          ? { body: { runs: status === 'none' ? [] : [{ ...settled, status }], nextCursor: null } }
          : undefined,
      at(next, preview),
      at(`/burns/${mint}`, examples.burns),
    );
    const { container } = render(<Distributions token={token} />);
    await pass(1_000);
    expect([count(asked, runs), count(asked, next), count(asked, `/burns/${mint}`)]).toEqual([1, 1, 1]);
    await pass(50_000);
    expect(count(asked, runs)).toBe(1);
    await pass(20_000);
    expect(container.textContent).toContain('Starting now.');
    expect(count(asked, runs)).toBe(2);
    status = 'paying';
    await pass(21_000);
    expect(container.textContent).toContain('Paying holders');
    status = 'settled';
    await pass(21_000);
    expect(container.textContent).toContain('Done');
    const ended = count(asked, runs);
    expect(count(asked, `/burns/${mint}`)).toBe(2);
    await pass(300_000);
    expect(count(asked, runs)).toBe(ended);
  });

  it('stay within the limit, even when nothing ever begins', async () => {
    const asked = service(
      at(runs, { runs: [], nextCursor: null }),
      at(next, preview),
      at(`/burns/${mint}`, examples.burns),
    );
    render(<Distributions token={token} />);
    await pass(15 * 60_000);
    // Both are counted together, 100 in 15 minutes for one address.
    expect(count(asked, runs) + count(asked, next)).toBeLessThan(30);
  });
});
