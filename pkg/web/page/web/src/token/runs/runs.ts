import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { answer, type Problem, problemFrom, type Schemas } from 'tokenlaunch/api';
import { api } from '../../api/client';
import { type Load, useLoad } from '../../api/load';

/** A distribution in the list. */
export type Summary = Schemas['RunSummary'];

/** Number of distributions on a page. */
const LIMIT = 50;

const page = (tokenId: string, cursor?: string) =>
  answer(
    api.GET('/distribution/{tokenId}/runs', {
      params: { path: { tokenId }, query: { limit: LIMIT, ...(cursor ? { cursor } : {}) } },
    }),
  );

/** Merges newer and older pages: each distribution once, in its latest state, newest first. */
export function merge(newer: readonly Summary[], older: readonly Summary[]): Summary[] {
  const seen = new Set(newer.map((r) => r.id));
  return [...newer, ...older.filter((r) => !seen.has(r.id))].sort((a, b) =>
    a.slot < b.slot ? 1 : a.slot > b.slot ? -1 : 0,
  );
}

/** The fetched distributions, with a way to fetch more. */
export interface Runs {
  /** The state of the newest page. Its data changes on reload. */
  readonly load: Load<readonly Summary[]>;
  readonly list: readonly Summary[];
  /** Fetches older distributions; null if there are none. */
  readonly more: (() => void) | null;
  readonly loadingMore: boolean;
  readonly problem: Problem | null;
}

/** Returns the distributions of a token, newest first, page by page. */
export function useRuns(tokenId: string): Runs {
  const [older, setOlder] = useState<readonly Summary[]>([]);
  const [cursor, setCursor] = useState<string | null>(null);
  const [loadingMore, setLoading] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const began = useRef(false);
  const load = useLoad<readonly Summary[]>(tokenId, async () => {
    const got = await page(tokenId);
    if (!began.current) setCursor(got.nextCursor);
    began.current = true;
    return got.runs;
  });
  const fresh = load.data ?? [];
  // Distributions of the first page stay in the list after newer distributions push them off the page.
  useEffect(() => {
    if (load.data) setOlder((all) => merge(load.data ?? [], all));
  }, [load.data]);
  const more = useCallback(() => {
    if (!cursor) return;
    setLoading(true);
    setProblem(null);
    page(tokenId, cursor)
      .then(
        (got) => {
          setOlder((all) => merge(all, got.runs));
          setCursor(got.nextCursor);
        },
        (cause) => setProblem(problemFrom(cause)),
      )
      .finally(() => setLoading(false));
  }, [tokenId, cursor]);
  return { load, list: merge(fresh, older), more: cursor ? more : null, loadingMore, problem };
}
