import './page';
import { cleanup, render, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { holders, record, traded } from '../../src/lists/words';
import { FiguresPanel, Payouts, partOf } from '../../src/token/figures';
import { ago } from '../../src/ui/clock';
import { examples } from './examples';

const { token } = examples;

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('the figures of a token', () => {
  it('names what was paid and who holds, in shares of the supply', () => {
    const { container } = render(<FiguresPanel token={token} />);
    const said = [...container.querySelectorAll('.figures > div')].map(
      (row) => `${row.querySelector('dt')?.textContent}: ${row.querySelector('dd')?.textContent}`,
    );
    expect(said).toEqual([
      'Paid to holders in all: 2.97 SOL',
      'Paid to holders in 24 hours: 1.56 SOL',
      'Holders: 428',
      'The ten largest hold: 21.2%',
      'The creator’s wallet holds: 5%',
      'Locked in escrows: 10%',
    ]);
  });

  it('leaves out what is not known', () => {
    const figures = token.figures;
    if (!figures?.holders) throw new Error('the example has no figures');
    const { container, rerender } = render(
      <FiguresPanel token={{ ...token, figures: { ...figures, paid: [], holders: null } }} />,
    );
    expect(container.textContent).toBe('');
    const { figures: _, ...older } = token;
    rerender(<FiguresPanel token={older} />);
    expect(container.textContent).toBe('');
    rerender(
      <FiguresPanel
        token={{ ...token, figures: { ...figures, holders: { ...figures.holders, locked: null } } }}
      />,
    );
    expect(container.textContent).toContain('The creator’s wallet holds');
    expect(container.textContent).not.toContain('Locked in');
  });

  it('counts the payouts in the head, with the age of the newest', () => {
    vi.useFakeTimers({ now: Date.parse('2026-03-02T11:10:10.000Z') });
    const { container, rerender } = render(<Payouts token={token} />);
    expect(container.textContent).toBe('42 payouts, all proven, last 7 minutes ago');
    expect(screen.getByRole('link').getAttribute('href')).toBe('#runs');
    const { figures } = token;
    if (!figures) throw new Error('the example has no figures');
    rerender(<Payouts token={{ ...token, figures: { ...figures, payouts: 0, lastPayoutAt: null } }} />);
    expect(container.textContent).toBe('');
  });

  it('are in lists', () => {
    expect(record(token)).toBe('2.97 SOL paid, 1.56 SOL in 24 h');
    expect(holders(token)).toBe('428 holders');
    expect(traded(token)).toBe('84.1 SOL traded');
    const { figures: _, ...older } = token;
    expect([record(older), holders(older), traded(older)]).toEqual([null, null, null]);
  });
});

describe('parts and ages', () => {
  it('rounds no part to zero', () => {
    expect([partOf('1', '1000000'), partOf('0', '5'), partOf('0', '0'), partOf('5', '5')]).toEqual([
      'less than 0.01%',
      '0%',
      '0%',
      '100%',
    ]);
  });

  it('rounds down', () => {
    expect([-5, 59_999, 60_000, 3_599_999, 3_600_000, 172_800_000].map(ago)).toEqual([
      'just now',
      'just now',
      '1 minute ago',
      '59 minutes ago',
      '1 hour ago',
      '2 days ago',
    ]);
  });
});
