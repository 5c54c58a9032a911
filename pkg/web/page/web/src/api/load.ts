import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Problem, problemFrom } from 'tokenlaunch/api';
import { cached, fetched } from './cache';

/** The state of a fetch. Loaded data stays. */
export interface Load<T> {
  readonly data: T | null;
  /** A call is in progress. */
  readonly loading: boolean;
  /** The call is slow enough to be mentioned. */
  readonly slow: boolean;
  readonly problem: Problem | null;
  /** The time of the next automatic retry, in milliseconds since 1970; null if there is none. */
  readonly retryAt: number | null;
  /** Fetches again immediately. */
  readonly reload: () => void;
}

/** Milliseconds after which a call counts as slow. */
const SLOW = 2_500;

/**
 * Starts with the known data, if any, instead of a fetch. Fetches if the key changes and on reload.
 * After a transient problem (no connection, 429, 5xx), fetches again at the service's time. A null
 * key fetches nothing.
 *
 * The key names the data on the whole page, such as `burns ${mint}`: two components with one key
 * share a call and its response. A reload always calls.
 */
export function useLoad<T>(key: string | null, fetchIt: () => Promise<T>, known: T | null = null): Load<T> {
  const [state, set] = useState<Omit<Load<T>, 'reload'>>(() => ({
    data: known ?? (key === null ? null : cached<T>(key)),
    loading: key !== null && known === null,
    slow: false,
    problem: null,
    retryAt: null,
  }));
  /** The number of fetches, and whether the last one has to call. */
  const [round, setRound] = useState({ number: 0, force: false });
  const latest = useRef(fetchIt);
  latest.current = fetchIt;
  const lastKey = useRef(key);
  const fresh = useRef(known !== null);
  const again = useCallback(
    (force: boolean) => setRound(({ number }) => ({ number: number + 1, force })),
    [],
  );
  const reload = useCallback(() => again(true), []);
  useEffect(() => {
    if (key === null) return;
    if (fresh.current) {
      fresh.current = false;
      return;
    }
    let over = false;
    const timers: number[] = [];
    const changed = lastKey.current !== key;
    lastKey.current = key;
    set((s) => ({
      data: changed ? cached<T>(key) : s.data,
      loading: true,
      slow: false,
      problem: null,
      retryAt: null,
    }));
    timers.push(window.setTimeout(() => set((s) => ({ ...s, slow: s.loading })), SLOW));
    fetched(key, latest.current, round.force && !changed).then(
      (data) => !over && set({ data, loading: false, slow: false, problem: null, retryAt: null }),
      (cause) => {
        if (over) return;
        const problem = problemFrom(cause);
        const wait = problem.retryAfter === null ? null : problem.retryAfter * 1000;
        set((s) => ({
          ...s,
          loading: false,
          slow: false,
          problem,
          retryAt: wait === null ? null : Date.now() + wait,
        }));
        if (wait !== null) timers.push(window.setTimeout(() => again(false), wait));
      },
    );
    return () => {
      over = true;
      for (const timer of timers) clearTimeout(timer);
    };
  }, [key, round]);
  return { ...state, reload };
}
