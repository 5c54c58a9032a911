import { readFileSync } from 'node:fs';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import type { Schemas } from 'tokenlaunch/api';
import {
  atMost,
  Fault,
  findHolder,
  type Progress,
  type Report,
  Unreachable,
  verify,
} from 'tokenlaunch/proof';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Case,
  keptBundles,
  readCases,
  type Shelf,
} from '../../../../../client/typescript/test/proof/bundle';
import { type ChainOf, nodeOf } from '../../../../../client/typescript/test/proof/ledger';
import type { Config } from '../../src/config';
import type { Job, Outcome } from '../../src/verify/messages';

const kept = keptBundles();
/** A proof of the second run under the basis "held", which is good. */
const vectors = readCases('../../../proof/testdata/vectors/proofs.json');
const heldProof = vectors.find(
  ({ forgery, checks }) => !forgery && checks.some((c) => c.Name === 'held before'),
) as Case;
/** A proof with a sale through a program of a later list, and its chain. */
const newerProof = vectors.find(({ checks }) => checks.some((c) => c.Verdict === 'too new')) as Case;
let shelf: Shelf;
let unreachable: boolean;
let jobs: Job[];
/** How many transactions are read at most of the chain of the kept bundles. */
let most: number;
/** What the node tells. */
let landed: ChainOf;
const keptChain = JSON.parse(readFileSync('../../../proof/testdata/chain.json', 'utf8')) as ChainOf;

// The worker's part is done here: happy-dom has no workers.
vi.mock('../../src/verify/session', () => {
  class Refused extends Error {}
  class Session {
    private report: Report | null = null;
    async verify(job: Job, progress: (p: Progress) => void): Promise<Outcome> {
      jobs.push(job);
      if (unreachable) throw new Unreachable('ipfs.example cannot be reached');
      const chain = job.rpcUrl ? { chain: { node: atMost(nodeOf(landed), most), markets: job.markets } } : {};
      this.report = await verify({ source: shelf, anchor: job.anchor, asked: job.asked, ...chain, progress });
      const { ok, complete, checks, manifest, anchor, leftOnTrustWords: leftOut } = this.report;
      return {
        ok,
        complete,
        leftOut,
        checks,
        manifest,
        root: anchor?.root ?? '',
        files: 16,
        bytes: 30_000,
        milliseconds: 1200,
      };
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
  [shelf, unreachable, jobs, most, landed] = [kept.shelf, false, [], 2000, keptChain];
  configure({});
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Configures the page; what is imported after it reads that. */
function configure(of: Partial<Config>): void {
  vi.resetModules();
  const text = JSON.stringify({ rpcUrl: '', proofUrl: 'https://files.example/{cid}', explorer: {}, ...of });
  document.body.innerHTML = `<script type="application/json" id="config">${text}</script>`;
}

/** The words of the checks by their classes. */
function shown(): Record<string, string[]> {
  const words: Record<string, string[]> = {};
  for (const check of document.querySelectorAll('.checks > li')) {
    words[check.className] ??= [];
    words[check.className]?.push(check.querySelector('strong')?.textContent ?? '');
  }
  return words;
}

describe('the panel', () => {
  it('shows what holds and what was not checked, and finds a wallet', async () => {
    await panel();
    press('Verify this distribution');
    const result = await screen.findByRole('region', { name: 'Result of the verification' });
    expect(result.textContent).toContain(
      'What was checked holds, but completeness was not shown: 1 question was not answered. Does the chain say the same?',
    );
    expect(result.textContent).toContain('24 rows of 20 eligible holders');
    await waitFor(() => expect(document.activeElement === result).toBe(true));
    expect(jobs[0]).toMatchObject({ anchor: kept.second, asked: { mint, runId: run.id } });
    fireEvent.input(screen.getByLabelText('Find a wallet in the proof'), {
      target: { value: ' 1116GS1EeaSkLFNqZv3mEtr1AV9ew2H9RzoVEA3pe4 ' },
    });
    press('Find');
    await screen.findByText(/Line 1 of 24, 5 steps to the root/);
    expect(result.textContent).not.toContain('snapshot before');
    fireEvent.input(screen.getByLabelText('Find a wallet in the proof'), { target: { value: 'no address' } });
    press('Find');
    expect((await screen.findByRole('alert')).textContent).toContain('is not an address');
  });

  it('shows what a wallet had in the snapshot before, where the lesser counts', async () => {
    shelf = heldProof.shelf;
    const { anchor } = heldProof;
    await panel({
      ...run,
      anchor: { transaction: { cid: anchor, url: `https://x.example/${anchor}` } },
    } as never);
    press('Verify this distribution');
    const input = await screen.findByLabelText('Find a wallet in the proof');
    const find = async (wallet: string, says: RegExp) => {
      fireEvent.input(input, { target: { value: wallet } });
      press('Find');
      await screen.findByText(says);
    };
    await find(
      '111xJ2YUJZALz6xHxc11WtNXibZsHERXXTv7P91dCt',
      /^Held 0\.00876 of the token, and 0\.00438 in the snapshot before, of which the lesser counts\. Share/,
    );
    await find(
      '1112BTc44RVmiKDttNtcv7cz38JwW7HctbxRKx2dgJU',
      /holding 0\.003975 of the token, and 0 in the snapshot before, of which the lesser counts: not_held\.$/,
    );
  });

  it('calls a proof complete where its history was walked, and marks what is on trust', async () => {
    configure({ rpcUrl: 'https://rpc.example', markets: ['Market1111111111111111111111111111111111111'] });
    await panel();
    expect(document.querySelector('.verify')?.textContent).toContain(
      'Tokens sold directly to Market1111111111111111111111111111111111111 count as sold on a market',
    );
    press('Verify this distribution');
    const result = await screen.findByRole('region', { name: 'Result of the verification' });
    expect(result.querySelector('.notice.good')?.textContent).toMatch(
      /^The proof holds and is complete.*1 owner with 96\.66 % of the supply is left out on the service's word\. 6 things are taken on trust/,
    );
    const { ok, trust, ...others } = shown();
    expect(others).toEqual({});
    expect(new Set(ok)).toEqual(new Set(['Proven from the files', 'Proven on the chain']));
    expect(new Set(trust)).toEqual(new Set(['Taken on trust']));
    expect(screen.getByText(/^tokenlaunch verify/).textContent).toBe(
      `tokenlaunch verify --rpc https://rpc.example --market Market1111111111111111111111111111111111111 https://ipfs.example/ipfs/${kept.second}`,
    );
    expect(jobs[0]?.markets).toEqual(['Market1111111111111111111111111111111111111']);
  });

  it('is never green for what was not checked, and shows the command for a long history', async () => {
    configure({ rpcUrl: 'https://rpc.example' });
    most = 5;
    await panel();
    press('Verify this distribution');
    const result = await screen.findByRole('region', { name: 'Result of the verification' });
    expect(result.querySelector('.notice')?.className).toBe('notice warn');
    expect(result.textContent).toContain('completeness was not shown');
    expect(result.textContent).toContain('it takes more than 5 transactions to read');
    expect(new Set(shown().open)).toEqual(new Set(['Not checked']));
    expect(shown().ok).not.toContain('Not checked');
    const command = screen.getByText(/^tokenlaunch verify --rpc/);
    expect(command.closest('details')?.open).toBe(true);
  });

  it('says of a proof that is too new neither that it holds nor that it is false', async () => {
    configure({ rpcUrl: 'https://rpc.example' });
    const { anchor, checks } = newerProof;
    [shelf, landed] = [newerProof.shelf, newerProof.chain as ChainOf];
    await panel({
      ...run,
      id: /^run (\S+)/.exec(checks.find((c) => c.Name === 'run')?.Detail ?? '')?.[1] ?? '',
      anchor: { transaction: { cid: anchor, url: `https://x.example/${anchor}` } },
    } as never);
    press('Verify this distribution');
    const result = await screen.findByRole('region', { name: 'Result of the verification' });
    expect(result.querySelector('.notice.warn')?.textContent).toMatch(
      /^This proof is too new for this page, and was not shown to hold\..*nothing is shown of what 1 sales did.*update the verifier/,
    );
    expect(result.textContent).not.toContain('Recomputed');
    const { failed, open } = shown();
    expect([failed, open]).toEqual([undefined, ['Too new for this page']]);
    expect(screen.queryByLabelText('Find a wallet in the proof')).toBeNull();
  });

  it('reports that a bundle was changed, and what does not hold', async () => {
    const [name, content] = [...kept.shelf.files].find(([, c]) =>
      new TextDecoder().decode(c).includes('\nSOL,'),
    ) ?? ['', new Uint8Array()];
    const changed = content.slice();
    changed[200] = (changed[200] as number) ^ 1;
    shelf = kept.shelf.with(name, changed);
    await panel();
    press('Verify this distribution');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toMatch(/^This proof does not hold: SOL: bafk/);
    expect(alert.className).toContain('bad');
    expect(screen.queryByLabelText('Find a wallet in the proof')).toBeNull();
    expect(shown().failed).toEqual(['Does not hold']);
  });

  it('tells a proof of another distribution, and one that is not complete, from a changed one', async () => {
    await panel({ ...run, id: '152d4bda-db3d-59b9-8181-166113a13a58' } as Schemas['Run']);
    press('Verify this distribution');
    expect((await screen.findByRole('alert')).textContent).toContain('This proof is of another distribution');
    cleanup();
    shelf = kept.shelf.with(`${kept.second}.tx`, null);
    await panel();
    press('Verify this distribution');
    expect((await screen.findByRole('alert')).textContent).toContain('Part of this proof is missing');
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
    press('Verify again');
    await screen.findByRole('region', { name: 'Result of the verification' });
  });

  it('has nothing to verify without an anchor', async () => {
    await panel({ ...run, anchor: null } as Schemas['Run']);
    expect(screen.getByText('This distribution has no proof to verify yet.')).toBeTruthy();
  });
});
