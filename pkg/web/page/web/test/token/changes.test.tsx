import './page';
import { cleanup, render, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Changes } from '../../src/token/changes/panel';
import { difference } from '../../src/token/changes/words';
import { examples } from './examples';
import { at, service } from './service';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const { token } = examples;

describe('the changes of the settings', () => {
  it('are named for holders', () => {
    const said = (field: string, before?: string, after?: string) =>
      difference(
        { field, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) },
        token,
      );
    expect(said('developerFeePercent', '20', '90')).toBe("Creator's share: from 20% to 90%");
    expect(said('distributionEnabled', 'true', 'false')).toBe('Payouts: from on to paused');
    expect(said('creatorSplits', undefined, 'A=60, B=40')).toBe(
      "Wallets that share the creator's share: from none to A=60, B=40",
    );
    expect(said('telegramGroupId')).toBe('Telegram group changed');
    expect(said('aLaterSetting', '1', '2')).toBe('aLaterSetting: from 1 to 2');
  });

  it('are listed with what was signed', async () => {
    const signed = { wallet: token.creator, text: 'Burn: 2000 basis points', signature: 'abc' };
    const [first] = examples.changes.changes;
    service(
      at(`/distribution/${token.mintAddress}/changes`, {
        changes: [{ ...first, version: 3, order: signed }, first],
        nextCursor: null,
      }),
    );
    render(<Changes token={token} />);
    expect(await screen.findAllByText('Burned: from 10% to 20%')).toHaveLength(2);
    expect(screen.getByText('Burn: 2000 basis points')).toBeTruthy();
    expect(screen.getAllByText(/^Not signed/)).toHaveLength(1);
  });

  it('say that nothing has changed', async () => {
    service(at(`/distribution/${token.mintAddress}/changes`, { changes: [], nextCursor: null }));
    render(<Changes token={token} />);
    expect(await screen.findByText('The creator has changed nothing since the launch.')).toBeTruthy();
  });
});
