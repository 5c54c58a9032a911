import type { ComponentType } from 'preact';
import { useLater } from './fetched';

/** A part of a page whose code is fetched when the part is shown. */
export function later<P extends object>(
  what: string,
  fetchIt: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  return (props) => {
    const got = useLater(true, async () => ({ Part: await fetchIt() }));
    if (got === 'failed') return <p>{what} failed to load. Reload the page.</p>;
    return got ? <got.Part {...props} /> : <p class="faint">Loading {what.toLowerCase()} …</p>;
  };
}
