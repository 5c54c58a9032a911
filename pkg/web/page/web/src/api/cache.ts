/** A call for a key, and its response. */
interface Entry {
  readonly call: Promise<unknown>;
  /** The time of the response, in milliseconds since 1970; null while the call is in progress. */
  at: number | null;
  data: unknown;
}

/** Milliseconds for which a response is used again without a call. Shorter than every poll of the page. */
const FRESH = 5_000;

/** The maximum number of responses in memory. The oldest one makes room. */
const MAX_ENTRIES = 100;

const entries = new Map<string, Entry>();

/** Returns the last response for a key, however old; null if there is none. */
export function cached<T>(key: string): T | null {
  const entry = entries.get(key);
  return entry && entry.at !== null ? (entry.data as T) : null;
}

/**
 * Returns the response for a key: of a call in progress, or of a call within the last seconds,
 * otherwise of a new call. `force` always calls, because something has changed since. A failed call
 * is forgotten.
 */
export function fetched<T>(key: string, fetchIt: () => Promise<T>, force = false): Promise<T> {
  const found = entries.get(key);
  if (found && !force && (found.at === null || Date.now() - found.at < FRESH))
    return found.call as Promise<T>;
  const call = fetchIt();
  const entry: Entry = { call, at: null, data: found?.at == null ? null : found.data };
  entries.delete(key);
  entries.set(key, entry);
  call.then(
    (data) => {
      entry.at = Date.now();
      entry.data = data;
    },
    () => {
      if (entries.get(key) === entry) entries.delete(key);
    },
  );
  for (const oldest of entries.keys()) {
    if (entries.size <= MAX_ENTRIES) break;
    entries.delete(oldest);
  }
  return call;
}

/** Forgets all responses, for example after a sign-out. */
export const forgetAll = (): void => entries.clear();
