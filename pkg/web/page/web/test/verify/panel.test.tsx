import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import { Fault, findHolder, type Progress, type Report, Unreachable, verify } from 'tokenlaunch/proof';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keptBundles, type Shelf } from '../../../../../client/typescript/test/proof/bundle';
import type { Schemas } from '../../src/api/client';
import type { Job, Outcome } from '../../src/verify/messages';

const kept = keptBundles();
let shelf: Shelf;
let unreachable: boolean;
let jobs: Job[];

// The worker's part is done here: happy-dom has no workers.
vi.mock('../../src/verify/session', () => {
  class Refused extends Error {}
  class Session {
    private report: Report | null = null;
    async verify(job: Job, progress: (p: Progress) => void): Promise<Outcome> {
      jobs.push(job);
      if (unreachable) throw new Unreachable('ipfs.example cannot be reached');
      this.report = await verify({ source: shelf, anchor: job.anchor, asked: job.asked, progress });
      const { ok, checks, manifest, anchor } = this.report;
      return { ok, checks, manifest, root: anchor?.root ?? '', files: 16, bytes: 30_000, milliseconds: 1200 };
    }
    async find(wallet: string) {
      const { manifest, anchor } = this.report as Report;
      if (!manifest || !anchor) throw new Error('nothing was verified');
      return findHolder(shelf, manifest, anchor.root, wallet).catch((cause: unknown) => {
        throw cause instanceof Fault ? new Refused(cause.message) : cause;
      });
    }
    end() {}
  }
  return { Session, Refused, Stopped: class extends Error {} };
});

const mint = 'LX3EUdRUBUa3TbsYXLEUdj9J3prXkWXvLYSWyYyc2Jp';
const run = {
  id: 'c50ffa33-3858-54a1-8015-b9a12b33ef93',
  transactions: 7,
  anchor: { transaction: { cid: kept.second, uri: '', url: `https://ipfs.example/ipfs/${kept.second}` } },
} as unknown as Schemas['Run'];

async function panel(of: Schemas['Run'] = run) {
  const { VerifyPanel } = await import('../../src/verify/panel');
  return render(<VerifyPanel mint={mint} run={of} />);
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

beforeEach(() => {
  [shelf, unreachable, jobs] = [kept.shelf, false, []];
  const text = JSON.stringify({ rpcUrl: '', proofUrl: 'https://files.example/{cid}', explorer: {} });
  document.body.innerHTML = `<script type="application/json" id="config">${text}</script>`;
});
afterEach(cleanup);

describe('the panel', () => {
  it('says what holds and what was not checked, and finds a wallet', async () => {
    await panel();
    press('Verify this distribution');
    const result = await screen.findByRole('region', { name: 'Result of the verification' });
    expect(result.textContent).toContain(
      'What was checked holds. 1 question was not answered: Does the chain say the same?',
    );
    expect(result.textContent).toContain('24 rows of 20 holders');
    await waitFor(() => expect(document.activeElement === result).toBe(true));
    expect(jobs[0]).toMatchObject({ anchor: kept.second, asked: { mint, runId: run.id } });
    fireEvent.input(screen.getByLabelText('Find a wallet in the proof'), {
      target: { value: ' 1116GS1EeaSkLFNqZv3mEtr1AV9ew2H9RzoVEA3pe4 ' },
    });
    press('Find it');
    await screen.findByText(/Line 1 of 24, 5 steps to the root/);
    fireEvent.input(screen.getByLabelText('Find a wallet in the proof'), { target: { value: 'nobody' } });
    press('Find it');
    expect((await screen.findByRole('alert')).textContent).toContain('is not an address');
  });

  it('says that a bundle was changed, and what does not hold', async () => {
    const [name, content] = [...kept.shelf.files].find(([, c]) =>
      new TextDecoder().decode(c).includes('\nSOL,'),
    ) ?? ['', new Uint8Array()];
    const changed = content.slice();
    changed[200] = (changed[200] as number) ^ 1;
    shelf = kept.shelf.with(name, changed);
    await panel();
    press('Verify this distribution');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toMatch(/^This bundle was changed: SOL: bafk/);
    expect(alert.className).toContain('bad');
    expect(screen.queryByLabelText('Find a wallet in the proof')).toBeNull();
    expect(document.querySelectorAll('.checks .failed')).toHaveLength(1);
  });

  it('tells a proof of another distribution, and one that is not complete, from a changed one', async () => {
    await panel({ ...run, id: '152d4bda-db3d-59b9-8181-166113a13a58' } as Schemas['Run']);
    press('Verify this distribution');
    expect((await screen.findByRole('alert')).textContent).toContain(
      'This is the proof of another distribution',
    );
    cleanup();
    shelf = kept.shelf.with(`${kept.second}.tx`, null);
    await panel();
    press('Verify this distribution');
    expect((await screen.findByRole('alert')).textContent).toContain('This proof is not complete');
  });

  it('says nothing of a proof that cannot be reached', async () => {
    unreachable = true;
    await panel();
    press('Verify this distribution');
    await waitFor(() =>
      expect(document.querySelector('.notice.warn')?.textContent).toContain('ipfs.example cannot be reached'),
    );
    expect(screen.queryByRole('alert')).toBeNull();
    unreachable = false;
    press('Verify it again');
    await screen.findByRole('region', { name: 'Result of the verification' });
  });

  it('has nothing to verify without an anchor', async () => {
    await panel({ ...run, anchor: null } as Schemas['Run']);
    expect(screen.getByText('This distribution has no proof to verify yet.')).toBeTruthy();
  });
});
