import { useEffect, useState } from 'preact/hooks';

/** Code that is fetched when it is wanted: null until it is there, "failed" when it could not be fetched. */
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
