import { useState } from 'preact/hooks';
import { usePoll } from '../../ui/poll';

/**
 * The time for which a response is expected soon, and the polling intervals before and after this
 * time, in milliseconds.
 */
const SOON = 20_000;
const OFTEN = 4_000;
const RARELY = 120_000;

/**
 * Polls while something is pending: often at first, then rarely, because a wallet has 30 calls in
 * 15 minutes for all its webhooks. Callers call the returned function after sending. `sent` means
 * that something was sent before.
 */
export function useWait(again: () => void, waiting: boolean, now: number, sent = false): () => void {
  const [since, setSince] = useState(sent ? now : Number.NEGATIVE_INFINITY);
  usePoll(again, waiting ? (now - since < SOON ? OFTEN : RARELY) : null);
  return () => setSince(Date.now());
}
