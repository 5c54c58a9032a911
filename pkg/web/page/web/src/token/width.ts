import { useEffect, useRef, useState } from 'preact/hooks';

/** Returns the current width of an element in whole pixels. */
export function useWidth<E extends HTMLElement>(first = 320): [{ current: E | null }, number] {
  const ref = useRef<E>(null);
  const [width, set] = useState(first);
  useEffect(() => {
    const element = ref.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    const watch = new ResizeObserver(() => {
      const now = Math.floor(element.clientWidth);
      if (now > 0) set(now);
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return [ref, width];
}
