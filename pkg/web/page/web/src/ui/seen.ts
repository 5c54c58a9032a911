import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** How far below the window a part counts as almost in sight. */
const AHEAD = '400px';

/**
 * Whether an element was in sight, or almost: what is far down a page is fetched for those who get
 * there. Browsers that cannot tell count it as seen.
 */
export function useSeen<T extends Element>(): readonly [RefObject<T | null>, boolean] {
  const ref = useRef<T>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (seen || !element) return;
    if (typeof IntersectionObserver === 'undefined') return setSeen(true);
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true),
      { rootMargin: AHEAD },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [seen]);
  return [ref, seen];
}
