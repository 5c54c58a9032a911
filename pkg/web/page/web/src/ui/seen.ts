import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** The distance below the window at which a part counts as almost visible. */
const AHEAD = '400px';

/**
 * Returns whether an element was visible, or almost visible. Content far down a page is fetched
 * only for visitors who scroll down. Browsers without support count the element as visible.
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
