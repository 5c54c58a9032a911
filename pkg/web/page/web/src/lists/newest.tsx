import { answer } from 'tokenlaunch/api';
import { api } from '../api/client';
import { useLoad } from '../api/load';
import { Loaded } from '../ui/parts';
import { Card } from './card';
import { More, Nothing } from './more';

/** Tokens on one page of the list. */
const LIMIT = 12;

/** The tokens that were launched last. */
export function Newest(props: { page: number }) {
  const { page } = props;
  const load = useLoad(`newest:${page}`, () =>
    answer(api.GET('/tokens', { params: { query: { page, limit: LIMIT } } })),
  );
  return (
    <Loaded load={load} what="the tokens">
      {({ tokens, pagination: { total, totalPages, hasNext } }) => (
        <>
          {total === 0 ? (
            <Nothing>No tokens yet. Yours could be the first.</Nothing>
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
            back={page > 1 ? { page: Math.min(page - 1, Math.max(1, totalPages)) } : null}
            on={hasNext ? { page: page + 1 } : null}
            said={`Page ${page} of ${Math.max(1, totalPages)}`}
          />
        </>
      )}
    </Loaded>
  );
}
