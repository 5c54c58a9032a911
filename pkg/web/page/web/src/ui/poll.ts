import { useEffect, useRef } from 'preact/hooks';

/**
 * Calls `again` at the interval while the page is visible, and immediately when the page becomes
 * visible after a longer time. Null means no calls.
 */
export function usePoll(again: () => void, every: number | null): void {
  const latest = useRef(again);
  latest.current = again;
  useEffect(() => {
    if (every === null) return;
    let last = Date.now();
    const tick = () => {
      if (document.hidden || Date.now() - last < every) return;
      last = Date.now();
      latest.current();
    };
    const timer = setInterval(tick, Math.min(every, 1000));
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [every]);
}

/** Calls `again` when the round changes; the first round is not a change. */
export function useRound(again: () => void, round: string | number | null): void {
  const before = useRef(round);
  useEffect(() => {
    if (before.current !== null && before.current !== round) again();
    before.current = round;
  }, [round]);
}
