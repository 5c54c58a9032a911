import { useEffect, useRef } from 'preact/hooks';

/**
 * Calls `again` every so many milliseconds while the page is looked at, and at once when it
 * is looked at again after a longer time. Null calls nothing.
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

/** Calls `again` when one round follows another; the first one follows none. */
export function useRound(again: () => void, round: string | number | null): void {
  const before = useRef(round);
  useEffect(() => {
    if (before.current !== null && before.current !== round) again();
    before.current = round;
  }, [round]);
}
