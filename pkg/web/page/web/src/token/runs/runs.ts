import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../../api/client';
import { type Pages, usePages } from '../../api/pages';

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

/** The fetched distributions, with a way to fetch more. */
export type Runs = Pages<Summary, Schemas['RunList']>;

/** Returns the distributions of a token, newest first, page by page. */
export const useRuns = (tokenId: string): Runs =>
  usePages(`runs ${tokenId}`, {
    page: (cursor) => page(tokenId, cursor),
    items: ({ runs }) => runs,
    id: ({ id }) => id,
  });
