import '../token/page';
import { screen } from '@testing-library/preact';
import { render } from 'preact';
import { expect, it } from 'vitest';
import { SignedIn } from '../../src/wallet/account';

it('reports a missing wallet only after the search has ended', async () => {
  const place = document.body.appendChild(document.createElement('div'));
  // Preact's own render leaves the effects, which look for wallets, for later.
  render(<SignedIn what="test">{() => null}</SignedIn>, place);
  expect(place.textContent).toContain('Connect a wallet to test.');
  expect(place.textContent).not.toContain('No Solana wallet');
  await screen.findByText(/No Solana wallet found/);
});
