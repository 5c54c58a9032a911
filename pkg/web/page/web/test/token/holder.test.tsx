import './page';
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Holder } from '../../src/token/holder/panel';
import { examples } from './examples';
import { at, service } from './service';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const { token, holder } = examples;
const path = `/distribution/${token.mintAddress}/holders/${holder.wallet}`;

function ask(address: string): void {
  fireEvent.input(screen.getByLabelText('Wallet address'), { target: { value: address } });
  fireEvent.click(screen.getByText('Look up'));
}

describe('the look-up of a wallet', () => {
  it("shows what it was paid, what it is owed and why, in the API's words", async () => {
    const asked = service(at(path, holder));
    const { container } = render(<Holder token={token} />);
    expect(asked).toEqual([]);
    ask(` ${holder.wallet} `);
    await screen.findByText('Paid nothing.');
    expect(asked).toEqual([path]);
    const link = screen.getByText('All rewards of this wallet');
    const below = link.compareDocumentPosition(screen.getByText('Paid nothing.'));
    expect(below, 'the answer pushes the link away').toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    const text = container.textContent ?? '';
    expect(text).toContain(holder.why?.detail ?? 'no reason');
    expect(text).toContain('0.000004664 SOL');
    expect(text).not.toContain(holder.assets[0]?.inclusion.root);
    fireEvent.click(screen.getByText('Show proof'));
    expect(container.textContent).toContain(holder.assets[0]?.inclusion.root);
    expect(container.textContent).toContain(holder.assets[0]?.inclusion.line);
  });

  it('asks the service only about addresses', async () => {
    const asked = service();
    render(<Holder token={token} />);
    for (const bad of ['', 'hello', `${holder.wallet}x`]) {
      ask(bad);
      expect(screen.getByLabelText('Wallet address').getAttribute('aria-invalid')).toBe('true');
    }
    expect(asked).toEqual([]);
    expect((screen.getByLabelText('Wallet address') as HTMLInputElement).value).toBe(`${holder.wallet}x`);
  });
});
