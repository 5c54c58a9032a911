/** Verifies in a separate thread, so that the page stays responsive. */
import {
  atMost,
  Fault,
  findHolder,
  HttpSource,
  Node,
  type Progress,
  placesOf,
  type Report,
  said,
  verify,
} from 'tokenlaunch/proof';
import type { Answer, Job, Request } from './messages';
import { MANY } from './words';

/** The interval of progress messages, in milliseconds. */
const OFTEN = 100;

let verified: { source: HttpSource; report: Report } | null = null;

const tell = (answer: Answer) => postMessage(answer);

/** Returns a function that forwards progress at intervals, but always the first and the last progress of each step. */
function teller(): (progress: Progress) => void {
  let [step, at] = ['', 0];
  return (progress) => {
    const now = performance.now();
    if (progress.step === step && now - at < OFTEN && progress.done < progress.total) return;
    [step, at] = [progress.step, now];
    tell({ kind: 'progress', progress });
  };
}

async function run(job: Job): Promise<void> {
  const began = performance.now();
  const source = new HttpSource(placesOf(job.link, job.proofUrl));
  const { anchor, asked, markets } = job;
  const chain = job.rpcUrl ? { chain: { node: atMost(new Node(job.rpcUrl), MANY), markets } } : {};
  const report = await verify({ source, anchor, asked, ...chain, progress: teller() });
  verified = { source, report };
  tell({
    kind: 'outcome',
    outcome: {
      ok: report.ok,
      complete: report.complete,
      leftOut: report.leftOnTrustWords,
      checks: report.checks,
      manifest: report.manifest,
      root: report.anchor?.root ?? '',
      files: source.files,
      bytes: source.bytes,
      milliseconds: Math.round(performance.now() - began),
    },
  });
}

async function find(wallet: string): Promise<void> {
  const { manifest, anchor } = verified?.report ?? {};
  if (!verified || !manifest || !anchor) throw new Fault('nothing was verified yet');
  tell({ kind: 'holder', holder: await findHolder(verified.source, manifest, anchor.root, wallet) });
}

addEventListener('message', async (event: MessageEvent<Request>) => {
  try {
    if (event.data.kind === 'verify') await run(event.data.job);
    else await find(event.data.wallet);
  } catch (cause) {
    const wrong = cause instanceof Fault;
    tell({ kind: wrong ? 'refused' : 'stopped', why: said(cause) });
  }
});
