import './token/page';
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { count } from '../src/ui/amount';
import { Boundary } from '../src/ui/boundary';
import { moment } from '../src/ui/clock';
import { Share } from '../src/ui/share';
import { safely } from '../src/ui/storage';
import { onPhone, openIn } from '../src/wallet/phone';
import { technical } from '../src/wallet/words';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe('a blocked storage', () => {
  it('keeps values as long as the page', () => {
    const blocked = safely(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
    expect(blocked.get('theme')).toBeNull();
    blocked.set('theme', 'dark');
    expect(blocked.get('theme')).toBe('dark');
    blocked.remove('theme');
    expect(blocked.get('theme')).toBeNull();
  });

  it('that is full has the newest value', () => {
    const values = new Map([['a', 'old']]);
    const full = safely(
      () =>
        ({
          getItem: (key: string) => values.get(key) ?? null,
          setItem: () => {
            throw new DOMException('full', 'QuotaExceededError');
          },
          removeItem: (key: string) => values.delete(key),
        }) as unknown as Storage,
    );
    full.set('a', 'new');
    expect(full.get('a')).toBe('new');
    full.remove('a');
    expect(full.get('a')).toBeNull();
  });
});

describe('an error in a part', () => {
  const Broken = (): never => {
    throw new TypeError('null is not a number');
  };
  it('costs that part, and neither the others nor a second heading', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { rerender } = render(
      <>
        <h2>Burned</h2>
        <Boundary>
          <Broken />
        </Boundary>
        <p>Next</p>
      </>,
    );
    expect(screen.getByRole('alert').textContent).toContain('This part cannot be shown.');
    rerender(
      <>
        <h2>Burned</h2>
        <Boundary>
          <Broken />
        </Boundary>
        <p>Next again</p>
      </>,
    );
    expect(screen.getAllByRole('heading')).toHaveLength(1);
    expect(screen.getByText('Next again')).toBeTruthy();
  });
});

describe('numbers and times', () => {
  it('are of one language and name their zone, whatever the browser speaks', () => {
    expect(count(10_000)).toBe('10,000');
    expect(count(2n ** 64n)).toBe('18,446,744,073,709,551,616');
    expect(moment('2026-03-02T14:05:00Z')).toMatch(/^\d Mar 2026, \d\d:\d\d (UTC|GMT|[A-Z]{2,5})([+-]\d+)?$/);
  });
});

describe('a phone', () => {
  it('is led into a wallet that shows this page', () => {
    const links = openIn(new URL('https://shareout.example/t/abc?x=1#holder'));
    expect(links.map(({ name }) => name)).toEqual(['Phantom', 'Solflare', 'Backpack']);
    for (const { href } of links) {
      expect(href).toMatch(/^https:\/\//);
      expect(href).toContain('/browse/https%3A%2F%2Fshareout.example%2Ft%2Fabc%3Fx%3D1%23holder');
      expect(new URL(href).searchParams.get('ref')).toBe('https://shareout.example');
    }
  });

  it('is told from a desktop', () => {
    expect(onPhone('Mozilla/5.0 (Linux; Android 15) Chrome/140 Mobile', 5)).toBe(true);
    expect(onPhone('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari', 5)).toBe(true);
    expect(onPhone('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari', 0)).toBe(false);
    expect(onPhone('Mozilla/5.0 (X11; Linux x86_64) Chrome/140', 10)).toBe(false);
  });
});

describe('the steps of a transaction', () => {
  it('that only carry it are folded, and those that move something are not', () => {
    expect(technical('Limits the compute units to 38595.')).toBe(true);
    expect(technical('Uses up a one-time number of the service, so this transaction can land once.')).toBe(
      true,
    );
    expect(technical('Moves 1 SOL to your account of wrapped SOL.')).toBe(false);
    expect(technical('Gives up the right to mint, so that the supply can never grow.')).toBe(false);
  });
});

describe('sharing', () => {
  it('copies the link where the device has no dialog, and leads to X and Telegram', async () => {
    const writeText = vi.fn(async () => {});
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    const link = 'https://shareout.example/t/abc';
    render(<Share title="Paper Crane & Co" link={link} />);
    fireEvent.click(screen.getByRole('button', { name: 'Share' }));
    expect(await screen.findByText('Link copied.')).toBeTruthy();
    expect(writeText).toHaveBeenCalledWith(link);
    for (const a of screen.getAllByRole<HTMLAnchorElement>('link')) {
      const { searchParams } = new URL(a.href);
      expect([searchParams.get('url'), searchParams.get('text')]).toEqual([link, 'Paper Crane & Co']);
    }
    vi.unstubAllGlobals();
  });
});
