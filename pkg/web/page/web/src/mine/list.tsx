import { answer, bearer } from 'tokenlaunch/api';
import { api } from '../api/client';
import { useLoad } from '../api/load';
import { Thumb } from '../lists/picture';
import { type Listed, pays, rewards } from '../lists/words';
import { useNow } from '../ui/clock';
import { nextSlot } from '../ui/interval';
import { Loaded } from '../ui/parts';
import { usePoll } from '../ui/poll';
import { Rosette } from '../ui/rosette';
import { remembered } from '../wallet/pending';
import type { Session } from '../wallet/session';
import { from } from './when';

/** Number of tokens on a page of the list. */
const LIMIT = 20;

/** The interval at which waiting launches are polled, in milliseconds. */
const EVERY = 15_000;

/**
 * Returns whether this browser has the wallet's signed transaction. Only this browser can send or
 * sign the launch again.
 */
const sentHere = (token: Listed): boolean => {
  const kept = remembered('launch', 'new', token.creator)?.unsigned as { transactionId?: string } | undefined;
  return kept !== undefined && kept.transactionId === token.transactionId;
};

/** The state of a token, in a line. */
function Line(props: { token: Listed }) {
  const { token } = props;
  const now = useNow();
  if (token.status === 'submitted')
    return (
      <>
        <p>Waiting for confirmation</p>
        {sentHere(token) ? (
          <p>
            <a href="/launch">Go on with the launch</a>
          </p>
        ) : null}
      </>
    );
  if (token.status === 'failed')
    return (
      <>
        <p>Launch failed</p>
        {token.reason ? <p class="faint">{token.reason}</p> : null}
      </>
    );
  const { settings } = token;
  return (
    <>
      <p>{rewards(token)}</p>
      {!pays(token) ? null : settings.distributionEnabled ? (
        <p class="faint">Next: {from(nextSlot(settings.distributionInterval, now), now)}</p>
      ) : (
        <p class="faint">Tax is still collected.</p>
      )}
    </>
  );
}

/** The tokens that a wallet launched. */
export function MyTokens(props: { session: Session; page: number }) {
  const { session, page } = props;
  const load = useLoad(`mine ${session.wallet} ${page}`, () =>
    answer(
      api.GET('/tokens/me', {
        params: { query: { page, limit: LIMIT, status: 'all' } },
        headers: bearer(session.token),
      }),
    ),
  );
  usePoll(load.reload, load.data?.tokens.some((token) => token.status === 'submitted') ? EVERY : null);
  return (
    <Loaded load={load} what="your tokens">
      {({ tokens, pagination: { hasNext } }) => (
        <>
          {tokens.length === 0 ? (
            <div class="card nothing">
              <Rosette seed={session.wallet} />
              <span>This wallet has not launched a token yet.</span>
              <a class="button" href="/launch">
                Launch a token
              </a>
            </div>
          ) : (
            <ul class="grid tokens">
              {tokens.map((token) => (
                <li class="card token" key={token.id}>
                  <Thumb mint={token.mintAddress} token={token} />
                  <div class="about">
                    <h2>
                      <a href={`/mine?token=${token.mintAddress}`} title={token.name}>
                        <bdi>{token.name}</bdi>
                      </a>
                    </h2>
                    <p class="symbol">
                      <bdi>{token.symbol}</bdi>
                    </p>
                    <Line token={token} />
                  </div>
                </li>
              ))}
            </ul>
          )}
          {page > 1 || hasNext ? (
            <nav class="more" aria-label="More of my tokens">
              {page > 1 ? (
                <a class="button plain" href={page === 2 ? '/mine' : `/mine?page=${page - 1}`} rel="prev">
                  Back
                </a>
              ) : null}
              {hasNext ? (
                <a class="button plain" href={`/mine?page=${page + 1}`} rel="next">
                  More
                </a>
              ) : null}
            </nav>
          ) : null}
        </>
      )}
    </Loaded>
  );
}
