/** The checks in plain words. */
import type { Check, CheckName, Progress } from 'tokenlaunch/proof';
import type { Outcome } from './messages';

/** What each check asks. */
export const questions: Record<CheckName, string> = {
  anchor: "Is the anchor signed by the token's distribution wallet?",
  manifest: 'Is the list of contents the one that was signed?',
  'asked for': 'Is it the proof of this distribution?',
  run: 'Do the settings and the time belong to this token?',
  snapshot: 'Do all balances and the withheld tax add up to the supply?',
  split: 'Was the collected tax divided as the settings say?',
  division: 'Did the creator and the holders get their parts of the proceeds?',
  conservation: 'Is every unit accounted for, with nothing lost?',
  undecided: 'Is it known where every transaction went?',
  adjustment: 'Is every amount explained by a transaction?',
  receipts: 'Is every transaction named that lent to receipts or returned them?',
  'run before': 'Does it begin with what the distribution before has left?',
  transactions: 'Is every transaction named, and only once?',
  rows: "Is each holder's share right, and under the fingerprint that was signed?",
  'nothing else': 'Are there no other files?',
  chain: 'Does the chain say the same?',
  'wallet on chain': "Is the signer the one who may collect the token's tax?",
  'anchor on chain': 'Is the fingerprint on the chain?',
  'transactions on chain': 'Did every transaction move what the rows say?',
};

/** What a verdict is called. */
export const verdicts: Record<Check['verdict'], string> = {
  ok: 'Holds',
  FAILED: 'Does not hold',
  'not checked': 'Not checked',
};

/** The checks to show: files are fetched by their names here, so others cannot be among them. */
export const shown = (checks: readonly Check[]): readonly Check[] =>
  checks.filter((c) => c.name !== 'nothing else');

/** What came of it, in a sentence or two; a check that was not made is never passed over. */
export function summary(outcome: Outcome): { kind: 'good' | 'warn' | 'bad'; text: string } {
  const failed = outcome.checks.find((c) => c.verdict === 'FAILED');
  if (failed || !outcome.ok) return { kind: 'bad', text: failure(failed) };
  const open = shown(outcome.checks).filter((c) => c.verdict === 'not checked');
  if (open.length === 0)
    return { kind: 'good', text: 'The proof holds. Everything was computed again, and nothing differs.' };
  return {
    kind: 'warn',
    text: `What was checked holds. ${open.length} ${open.length === 1 ? 'question was' : 'questions were'} not answered: ${open
      .map((c) => questions[c.name])
      .join(' ')}`,
  };
}

function failure(failed: Check | undefined): string {
  if (!failed) return 'There is no proof here.';
  if (failed.missing) return `This proof is not complete: ${failed.detail}`;
  if (failed.name === 'asked for') return `This is the proof of another distribution: ${failed.detail}`;
  if (failed.name.endsWith('on chain')) return `The chain says something else: ${failed.detail}`;
  return `This bundle was changed: ${failed.detail}`;
}

const steps: Record<Progress['step'], string> = {
  files: 'Fetching the proof',
  rows: 'Computing every share again',
  chain: 'Asking the chain',
};

/** What is done at the moment. It changes a few times only, so that it may be read out. */
export const stepWords = (progress: Progress): string => steps[progress.step];

/** How far it is, for the eye. */
export const counted = ({ step, done, total }: Progress): string =>
  step === 'files'
    ? ''
    : `${done.toLocaleString()} of ${total.toLocaleString()} ${step === 'rows' ? 'rows' : 'questions'}`;

/** How far all of it is, from 0 to 1. */
export function part({ step, done, total }: Progress, asksChain: boolean): number {
  const [files, rows] = [0.05, asksChain ? 0.65 : 0.95];
  const of = total > 0 ? Math.min(1, done / total) : 1;
  if (step === 'files') return files * of;
  return step === 'rows' ? files + rows * of : files + rows + (1 - files - rows) * of;
}
