import { useEffect, useState } from 'preact/hooks';

/** Returns code that is fetched on demand: null before the end of the fetch, "failed" after a failed fetch. */
export function useLater<T>(wanted: boolean, fetchIt: () => Promise<T>): T | null | 'failed' {
  const [got, set] = useState<{ readonly it: T | 'failed' } | null>(null);
  useEffect(() => {
    if (!wanted) return;
    let over = false;
    fetchIt().then(
      (it) => !over && set({ it }),
      () => !over && set({ it: 'failed' }),
    );
    return () => {
      over = true;
    };
  }, [wanted]);
  return got?.it ?? null;
}
