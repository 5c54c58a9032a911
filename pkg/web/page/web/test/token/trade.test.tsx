import './page';
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { examples } from './examples';
import { service } from './service';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

describe('a purchase on a curve', () => {
  it('is in SOL, and a button enters an amount', async () => {
    service();
    const { creator: wallet, symbol } = examples.token;
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    sessionStorage.setItem('session', JSON.stringify({ wallet, token: 'token', expiresAt }));
    const { Trade } = await import('../../src/token/curve/trade');
    render(<Trade token={examples.token} done={() => {}} />);
    fireEvent.click(screen.getByRole('button', { name: '0.5 SOL' }));
    expect((screen.getByLabelText(/^SOL to pay/) as HTMLInputElement).value).toBe('0.5');
    fireEvent.click(screen.getByRole('radio', { name: `In ${symbol}` }));
    expect(screen.queryByRole('button', { name: '0.5 SOL' })).toBeNull();
    screen.getByLabelText(new RegExp(`^${symbol} to buy`));
  });
});
