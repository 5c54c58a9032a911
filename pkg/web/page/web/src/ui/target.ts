import { useEffect } from 'preact/hooks';

/** Milliseconds for which parts that load above the target may move it. */
const SETTLES = 6_000;

/** Events by which a visitor takes over the scrolling. */
const BY_HAND = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

/** Returns the ID in the page's address, such as "runs". */
export const target = (): string => decodeURIComponent(location.hash.slice(1));

/**
 * Scrolls to the part that the page's address names. The browser looks for the part before the
 * page's script has drawn it, and parts above grow while they load, so the part is followed until
 * the page has settled or the visitor scrolls.
 */
export function useTarget(): void {
  useEffect(() => {
    const id = target();
    if (!id) return;
    const go = () => document.getElementById(id)?.scrollIntoView();
    go();
    if (typeof ResizeObserver === 'undefined') return;
    const watch = new ResizeObserver(go);
    watch.observe(document.body);
    const stop = () => {
      watch.disconnect();
      clearTimeout(timer);
      for (const event of BY_HAND) removeEventListener(event, stop);
    };
    const timer = setTimeout(stop, SETTLES);
    for (const event of BY_HAND) addEventListener(event, stop, { passive: true });
    return stop;
  }, []);
}
