import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Problem, problemFrom } from 'tokenlaunch/api';
import { type Load, useLoad } from './load';

/** A page of a list of the API. */
export interface Page {
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** The fetched part of a list, with a way to fetch more. */
export interface Pages<T, P extends Page> {
  /** The state of the first page. Its data changes on reload. */
  readonly load: Load<P>;
  /** The items so far, each once, in the API's order. */
  readonly items: readonly T[];
  /** Fetches the next page; null after the last page. */
  readonly more: (() => void) | null;
  readonly loadingMore: boolean;
  /** The problem of the next page. */
  readonly problem: Problem | null;
}

/** How to read a list. */
export interface List<T, P extends Page> {
  /** Fetches a page; the first one without a cursor. */
  readonly page: (cursor?: string) => Promise<P>;
  readonly items: (page: P) => readonly T[];
  /** The identity of an item. */
  readonly id: (item: T) => string | number;
}

interface Kept<T> {
  readonly items: readonly T[];
  readonly cursor: string | null;
}

/** Returns the items of two lists, each once: the first list's, then the others of the second list. */
export function joined<T>(
  first: readonly T[],
  second: readonly T[],
  id: (item: T) => string | number,
): readonly T[] {
  const seen = new Set(first.map(id));
  return [...first, ...second.filter((item) => !seen.has(id(item)))];
}

/**
 * Puts a newly fetched first page before the items so far. Items that newer ones have pushed off
 * the first page stay. If more than a page of items is new, the list begins again, because items
 * between the two would be missing.
 */
export function refreshed<T, P extends Page>(kept: Kept<T> | null, first: P, list: List<T, P>): Kept<T> {
  const items = list.items(first);
  const seen = new Set(items.map(list.id));
  if (!kept || (first.nextCursor !== null && !kept.items.some((item) => seen.has(list.id(item)))))
    return { items, cursor: first.nextCursor };
  return { items: joined(items, kept.items, list.id), cursor: kept.cursor };
}

/** Returns a list of the API, page by page. Only the first page is fetched automatically and on reload. */
export function usePages<T, P extends Page>(key: string | null, list: List<T, P>): Pages<T, P> {
  const load = useLoad(key, () => list.page());
  const [kept, setKept] = useState<Kept<T> | null>(null);
  const [loadingMore, setLoading] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const latest = useRef(list);
  latest.current = list;
  /** The list that a page belongs to: a page of an earlier key, or from before a new beginning, is dropped. */
  const begun = useRef<{ readonly key: string | null; readonly cursor: string | null }>({
    key,
    cursor: null,
  });
  useEffect(() => {
    begun.current = { key, cursor: null };
    setKept(null);
    setProblem(null);
    setLoading(false);
  }, [key]);
  useEffect(() => {
    if (load.data) setKept((before) => refreshed(before, load.data as P, latest.current));
  }, [load.data]);
  const shown = load.data ? refreshed(kept, load.data, list) : kept;
  const cursor = shown?.cursor ?? null;
  const more = useCallback(() => {
    if (cursor === null) return;
    const at = { key, cursor };
    begun.current = at;
    setLoading(true);
    setProblem(null);
    latest.current
      .page(cursor)
      .then(
        (next) => {
          if (begun.current !== at) return;
          setKept((before) =>
            before && before.cursor === cursor
              ? {
                  items: joined(before.items, latest.current.items(next), latest.current.id),
                  cursor: next.nextCursor,
                }
              : before,
          );
        },
        (cause) => begun.current === at && setProblem(problemFrom(cause)),
      )
      .finally(() => begun.current === at && setLoading(false));
  }, [key, cursor]);
  return { load, items: shown?.items ?? [], more: cursor === null ? null : more, loadingMore, problem };
}
