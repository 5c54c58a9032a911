import { answer } from 'tokenlaunch/api';
import { api } from '../api/client';
import { useLoad } from '../api/load';
import { Card } from '../lists/card';
import { CreatorChanges } from '../lists/changes';
import { type Listed, standings } from '../lists/words';
import '../styles/home.css';
import '../styles/token.css';
import { Figures } from '../token/parts';
import { isAddress } from '../ui/address';
import { Address, Loaded, Notice } from '../ui/parts';

/** Number of tokens on a page of the list. */
const LIMIT = 12;

/** A creator's tokens, page by page, with their payments to holders. */
function Tokens(props: { wallet: string; page: number }) {
  const { wallet, page } = props;
  const load = useLoad(`creator:${wallet}:${page}`, () =>
    answer(api.GET('/tokens', { params: { query: { creator: wallet, page, limit: LIMIT } } })),
  );
  const link = (to: number) => `/c/${wallet}${to > 1 ? `?page=${to}` : ''}`;
  return (
    <Loaded load={load} what="the tokens">
      {({ tokens, pagination: { total, totalPages, hasNext } }) =>
        tokens.length === 0 ? (
          <p>
            {total === 0 ? 'This wallet has launched no token here.' : 'There is no such page of tokens.'}
          </p>
        ) : (
          <>
            <Figures rows={standings(tokens as Listed[], total)} />
            <ul class="grid tokens">
              {tokens.map((token) => (
                <Card key={token.id} mint={token.mintAddress} token={token} />
              ))}
            </ul>
            <CreatorChanges tokens={tokens as Listed[]} />
            {totalPages > 1 ? (
              <nav class="more" aria-label="More tokens">
                {page > 1 ? (
                  <a class="button plain" href={link(page - 1)} rel="prev">
                    Back
                  </a>
                ) : null}
                <span class="faint">
                  Page {page} of {totalPages}
                </span>
                {hasNext ? (
                  <a class="button plain" href={link(page + 1)} rel="next">
                    More
                  </a>
                ) : null}
              </nav>
            ) : null}
          </>
        )
      }
    </Loaded>
  );
}

/** The page of a creator: the tokens that a wallet launched. */
export function Page() {
  const wallet = decodeURIComponent(location.pathname.split('/')[2] ?? '');
  const query = new URLSearchParams(location.search);
  const page = /^[1-9]\d{0,8}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;
  return (
    <>
      <h1>Tokens of a creator</h1>
      {isAddress(wallet) ? (
        <>
          <p>
            Launched by <Address address={wallet} of="creator's address" />. Anyone can launch from another
            wallet: a new wallet without a history says nothing.
          </p>
          <Tokens wallet={wallet} page={page} />
        </>
      ) : (
        <Notice kind="warn">
          <p>This page’s address does not contain a wallet’s address.</p>
          <p>
            <a href="/">See all tokens</a>
          </p>
        </Notice>
      )}
    </>
  );
}
