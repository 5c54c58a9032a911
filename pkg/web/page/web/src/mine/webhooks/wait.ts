import { useState } from 'preact/hooks';
import { usePoll } from '../../token/poll';

/** For how long an answer is expected soon, and how often it is looked for meanwhile and later, in milliseconds. */
const SOON = 20_000;
const OFTEN = 4_000;
const RARELY = 120_000;

/**
 * Looks again while something is on its way: often right after it was sent, then rarely, for a
 * wallet has 30 calls in 15 minutes for all that it does with its webhooks. What it gives is
 * called when something was sent; `sent` says that it was before.
 */
export function useWait(again: () => void, waiting: boolean, now: number, sent = false): () => void {
  const [since, setSince] = useState(sent ? now : Number.NEGATIVE_INFINITY);
  usePoll(again, waiting ? (now - since < SOON ? OFTEN : RARELY) : null);
  return () => setSince(Date.now());
}
