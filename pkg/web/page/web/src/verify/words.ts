/** The checks in plain words. */
import type { Check, CheckName, Progress, Verdict } from 'tokenlaunch/proof';
import { count } from '../ui/amount';
import type { Outcome } from './messages';

/**
 * The maximum length of a history that the page reads. A public node allows some 40 requests of a
 * kind in ten seconds (https://solana.com/docs/references/clusters), so a history of this length
 * takes eight minutes.
 */
export const MANY = 2000;

/** The question of each check. */
export const questions: Record<CheckName, string> = {
  anchor: "Is the anchor signed by the token's distribution wallet?",
  manifest: 'Is the list of contents the one that was signed?',
  'asked for': 'Is it the proof of this distribution?',
  "anchor's accounts": "Does the anchor show the balances of all the wallet's accounts?",
  run: 'Do the settings and the time belong to this token?',
  snapshot: 'Do all balances and the withheld tax add up to the supply?',
  split: 'Was the collected tax divided as the settings say?',
  division: 'Did the creator and the holders get their parts of the proceeds?',
  conservation: 'Is every unit accounted for, with nothing lost?',
  undecided: 'Is the outcome of every transaction known?',
  adjustment: 'Is every amount explained by a transaction?',
  burns: 'Did this run burn all that was burned?',
  receipts: 'Is every transaction named that lent rent to receipts or returned it?',
  settings: "Are the settings the creator's own?",
  creators: 'Are all wallets counted as the creator’s really the creator’s?',
  'run before': 'Does it start with what the previous distribution left?',
  spendable: 'Did it take up all the tax that there was?',
  'late payments': 'Is every payment that landed late counted once?',
  transactions: 'Is every transaction named, and only once?',
  rows: "Is each holder's share right, and under the fingerprint that was signed?",
  'held before': 'Did everyone hold before what is said?',
  chain: 'Does the chain say the same?',
  'wallet on chain': "Is the signer the one who may collect the token's tax?",
  'anchor on chain': 'Is the fingerprint on the chain?',
  history: 'Is everything the wallet did included?',
  'transactions on chain': 'Did every transaction do its job, and nothing else?',
  'books on chain': 'Do the statements match the balances on chain?',
  market: 'Were the tokens sold on a market?',
  rotation: 'Did everything move from the wallet before?',
  anchors: 'Is there only one account of this distribution on chain?',
  'later anchors': 'Do later distributions continue from this one?',
  'holders on chain': 'Did everyone hold what the snapshot says?',
  launch: 'Do the settings keep what the launch promised?',
  price: 'Did the exchange get the best price?',
  'left out': 'Are the reasons given for those left out true?',
  costs: "Were the wallet's own costs needed?",
  'worth paying': 'Is the minimum payment set correctly?',
};

/** The name, mark and class of each verdict: only a proven statement is green. */
export const verdicts: Record<
  Verdict,
  { readonly text: string; readonly mark: string; readonly of: string }
> = {
  'proven on the chain': { text: 'Proven on the chain', mark: '✓', of: 'ok' },
  'proven from the files': { text: 'Proven from the files', mark: '✓', of: 'ok' },
  'taken on trust': { text: 'Taken on trust', mark: '?', of: 'trust' },
  'not checked': { text: 'Not checked', mark: '–', of: 'open' },
  'too new': { text: 'Too new for this page', mark: '–', of: 'open' },
  FAILED: { text: 'Does not hold', mark: '✗', of: 'failed' },
};

/** Describes the outcome in a sentence or two. A check that was not made is always mentioned. */
export function summary(outcome: Outcome): { kind: 'good' | 'warn' | 'bad'; text: string } {
  const failed = outcome.checks.find((c) => c.verdict === 'FAILED');
  const open = outcome.checks.filter((c) => c.verdict === 'not checked');
  if (failed) return { kind: 'bad', text: failure(failed) };
  const newer = outcome.checks.find((c) => c.verdict === 'too new');
  if (newer)
    return {
      kind: 'warn',
      text: `This proof is too new for this page, and was not shown to hold. Reload the page, or update the verifier: ${newer.detail}.`,
    };
  if (!outcome.ok)
    return { kind: 'warn', text: `This proof is not complete: ${open[0]?.detail ?? 'there is none here'}.` };
  const trusted = outcome.checks.filter((c) => c.verdict === 'taken on trust').length;
  const trust = `${trusted} ${trusted === 1 ? 'thing is' : 'things are'} taken on trust (see below).`;
  if (outcome.complete)
    return {
      kind: 'good',
      text: `The proof holds and is complete: nothing the wallet did is left out. ${outcome.leftOut} ${trust}`,
    };
  if (open.length === 0)
    return {
      kind: 'warn',
      text: `What was checked holds, but the proof is not complete: part of it is explained by no transaction. ${trust}`,
    };
  return {
    kind: 'warn',
    text: `What was checked holds, but completeness was not shown: ${open.length} ${open.length === 1 ? 'question was' : 'questions were'} not answered. ${open
      .map((c) => questions[c.name])
      .join(' ')}`,
  };
}

function failure(failed: Check): string {
  if (failed.missing) return `Part of this proof is missing: ${failed.detail}`;
  if (failed.name === 'asked for') return `This proof is of another distribution: ${failed.detail}`;
  if (CHAIN.includes(failed.name)) return `The chain disagrees: ${failed.detail}`;
  return `This proof does not hold: ${failed.detail}`;
}

/** The checks of a node's data. */
const CHAIN: readonly CheckName[] = [
  'wallet on chain',
  'anchor on chain',
  'history',
  'transactions on chain',
  'books on chain',
  'rotation',
  'anchors',
  'later anchors',
  'holders on chain',
  'launch',
];

/** Returns the shell command with the same checks. */
export const command = (rpcUrl: string, markets: readonly string[], url: string): string =>
  [
    'tokenlaunch verify',
    ...(rpcUrl ? [`--rpc ${rpcUrl}`] : []),
    ...markets.map((key) => `--market ${key}`),
    url,
  ].join(' ');

const steps: Record<Progress['step'], string> = {
  files: 'Downloading the proof',
  rows: 'Recomputing every share',
  chain: 'Checking the chain',
};

/** Returns the current step. The text changes only a few times, so that screen readers may read the text. */
export const stepWords = (progress: Progress): string => steps[progress.step];

/** Returns the visual progress of the step. */
export const counted = ({ step, done, total }: Progress): string =>
  step === 'files' ? '' : `${count(done)} of ${count(total)} ${step === 'rows' ? 'rows' : 'transactions'}`;

/** Returns the total progress, from 0 to 1. */
export function part({ step, done, total }: Progress, asksChain: boolean): number {
  const [files, rows] = [0.05, asksChain ? 0.45 : 0.95];
  const of = total > 0 ? Math.min(1, done / total) : 1;
  if (step === 'files') return files * of;
  return step === 'rows' ? files + rows * of : files + rows + (1 - files - rows) * of;
}
