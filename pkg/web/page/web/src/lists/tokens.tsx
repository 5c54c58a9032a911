import { answer } from 'tokenlaunch/api';
import { api } from '../api/client';
import { useLoad } from '../api/load';
import { Loaded } from '../ui/parts';
import { Card } from './card';
import { More, Nothing } from './more';
import type { View } from './view';

/** Number of tokens on a page of the list. */
const LIMIT = 12;

/** The descriptions of the lists, and the texts of empty lists. */
const words = {
  newest: { about: '', none: 'No tokens yet. Yours could be the first.' },
  paid: {
    about: 'By the SOL that their holders were paid. Updated every minute.',
    none: 'No holder was paid yet.',
  },
  volume: {
    about: 'By the SOL traded on their curves. Anyone can trade with themselves: it is not a recommendation.',
    none: 'Nothing was traded yet.',
  },
  found: {
    about: 'Anyone can use any name: compare the mint address with one that you trust.',
    none: 'No name or symbol begins like this.',
  },
} as const;

/** A list of tokens, page by page: all tokens, the first tokens of a rank, or tokens with a name. */
export function Tokens(props: { view: View }) {
  const { list, page, q } = props.view;
  const rank = list === 'paid' || list === 'volume' ? list : undefined;
  const here: Partial<View> = q ? { q } : { list };
  const load = useLoad(`tokens:${list}:${q}:${page}`, () =>
    answer(
      api.GET('/tokens', {
        params: { query: { page, limit: LIMIT, ...(q ? { q } : rank ? { sort: rank } : {}) } },
      }),
    ),
  );
  const { about, none } = words[q ? 'found' : (rank ?? 'newest')];
  return (
    <>
      {about ? <p class="faint">{about}</p> : null}
      <Loaded load={load} what="the tokens">
        {({ tokens, pagination: { total, totalPages, hasNext } }) => (
          <>
            {total === 0 ? (
              <Nothing>{none}</Nothing>
            ) : tokens.length === 0 ? (
              <Nothing>There is no such page of tokens.</Nothing>
            ) : (
              <ul class="grid tokens">
                {tokens.map((token) => (
                  <Card key={token.id} mint={token.mintAddress} token={token} />
                ))}
              </ul>
            )}
            <More
              back={page > 1 ? { ...here, page: Math.min(page - 1, Math.max(1, totalPages)) } : null}
              on={hasNext ? { ...here, page: page + 1 } : null}
              said={`Page ${page} of ${Math.max(1, totalPages)}`}
            />
          </>
        )}
      </Loaded>
    </>
  );
}
