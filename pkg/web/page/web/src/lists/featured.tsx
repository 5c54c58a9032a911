import { answer } from 'tokenlaunch/api';
import { api } from '../api/client';
import { useLoad } from '../api/load';
import { moment } from '../ui/clock';
import { Loaded } from '../ui/parts';
import { Card } from './card';
import { More, Nothing } from './more';

/** The tokens whose creators pay to be shown. */
export function Featured(props: { after: string | null }) {
  const { after } = props;
  const load = useLoad(`featured:${after}`, () =>
    answer(api.GET('/featured', { params: { query: after ? { cursor: after } : {} } })),
  );
  return (
    <>
      <p class="faint">Creators pay to be featured. It is not a recommendation.</p>
      <Loaded load={load} what="featured tokens">
        {({ featured, nextCursor }) => (
          <>
            {featured.length === 0 ? (
              <Nothing>
                {after || nextCursor ? 'Nothing on this page.' : 'No token is featured right now.'}
              </Nothing>
            ) : (
              <ul class="grid tokens">
                {featured.map(({ promotionId, token, endsAt }) => (
                  <Card key={promotionId} mint={token.mintAddress} token={token}>
                    <p class="faint">Featured until {moment(endsAt)}</p>
                  </Card>
                ))}
              </ul>
            )}
            <More
              back={after ? { list: 'featured' } : null}
              on={nextCursor ? { list: 'featured', after: nextCursor } : null}
            />
          </>
        )}
      </Loaded>
    </>
  );
}
