import './page';
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Candle, drawing, intervalFor, told } from '../../src/token/curve/candles';
import { Trades } from '../../src/token/curve/trades';
import { examples } from './examples';
import { service } from './service';

const { token } = examples;
const [candle] = examples.candles.candles;
const [trade] = examples.trades.trades;
if (!candle || !trade) throw new Error('The document has no trade');
const path = `/launchpad/${token.mintAddress}`;

const hour = (n: number, more: Partial<Candle> = {}): Candle => ({
  ...candle,
  time: new Date(Date.UTC(2026, 2, 1) + n * 3_600_000).toISOString(),
  ...more,
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('candles', () => {
  it('are drawn between the lowest and the highest price', () => {
    const d = drawing([
      hour(0, { open: '1', high: '4', low: '1', close: '2', volume: '5' }),
      hour(1, { open: '2', high: '2', low: '1.5', close: '1.5', volume: '10' }),
    ]);
    expect(d.candles[0]).toMatchObject({ low: 0.06, high: 0.94, rises: true, volume: 0.5 });
    expect(d.candles[1]?.rises).toBe(false);
    expect(d.candles[1]?.close).toBeCloseTo(0.2067, 3);
    expect(d.marks.map(([, price]) => price)).toEqual([1, 2, 3, 4]);
  });
  it('of a price that has not moved are in the middle', () => {
    const d = drawing([hour(0, { open: '2', high: '2', low: '2', close: '2' })]);
    expect(d.candles[0]).toMatchObject({ open: 0.5, close: 0.5 });
    expect(d.marks).toEqual([[0.5, 2]]);
  });
  it('stand for what shows the life of a curve', () => {
    const made = '2026-03-01T00:00:00.000Z';
    const after = (hours: number) => intervalFor(made, Date.parse(made) + hours * 3_600_000);
    expect([1, 5, 100, 1000].map(after)).toEqual(['1m', '5m', '1h', '1d']);
  });
  it('are told in a sentence', () => {
    expect(
      told(
        hour(0, { open: '0.001', close: '0.002', low: '0.0005', high: '0.003', volume: '1.5', trades: 1 }),
        3,
      ),
    ).toContain('from 1 to 2 SOL, between 0.5 and 3, 1 trade of 1.5 SOL');
  });
});

describe('the trades of a curve', () => {
  const answers = (candles: readonly Candle[]) =>
    service((url) => {
      if (url.pathname === `${path}/candles`) return { body: { ...examples.candles, candles } };
      if (url.pathname !== `${path}/trades`) return undefined;
      const older = url.searchParams.get('cursor') === 'next';
      return {
        body: {
          ...examples.trades,
          trades: [older ? { ...trade, number: 1, side: 'sell', lamports: '5000000' } : trade],
          nextCursor: older ? null : 'next',
        },
      };
    });
  const show = () =>
    render(<Trades token={token} createdAt={new Date(Date.now() - 86_400_000).toISOString()} round={1} />);

  it('are said when there was one', async () => {
    answers([candle]);
    const { container } = show();
    expect(await screen.findByText(/bought 1,000,000 CRANE for 0.08305 SOL/)).toBeTruthy();
    expect(await screen.findByText(/17 trades of 4.126 SOL/)).toBeTruthy();
    expect(container.querySelectorAll('.candles .body').length).toBe(1);
    expect(container.querySelectorAll('tbody tr').length).toBe(1);
  });
  it('are as many candles as there is room for, which the slider goes through', async () => {
    const asked = answers(Array.from({ length: 100 }, (_, i) => hour(99 - i)));
    const { container } = show();
    const slider = (await screen.findByLabelText('Candle in the chart')) as HTMLInputElement;
    const drawn = container.querySelectorAll('.candles .body').length;
    expect(drawn).toBe(36); // of 320 pixels
    expect(slider.max).toBe('35');
    const before = slider.getAttribute('aria-valuetext');
    fireEvent.input(slider, { target: { value: '3' } });
    expect(slider.getAttribute('aria-valuetext')).not.toBe(before);
    fireEvent.click(screen.getByLabelText('1 min'));
    await vi.waitFor(() => expect(asked).toContain(`${path}/candles?interval=1m&limit=100`));
  });
  it('go back page by page', async () => {
    answers([]);
    show();
    fireEvent.click(await screen.findByText('Show older'));
    expect(await screen.findByText(/sold 1,000,000 CRANE for 0.005 SOL/)).toBeTruthy();
    expect(screen.queryByText('Show older')).toBeNull();
    expect(screen.getByText(/Choose a longer one/)).toBeTruthy();
  });
});
