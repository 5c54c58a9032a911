import { answer, api } from '../api/client';
import { useLoad } from '../api/load';
import { moment } from '../ui/clock';
import { Loaded } from '../ui/parts';
import { Card } from './card';
import { Nothing } from './more';

/** The tokens whose creators pay to be shown. */
export function Featured() {
  const load = useLoad('featured', () => answer(api.GET('/featured')));
  return (
    <>
      <p class="faint">Their creators pay to be shown here. It says nothing about the tokens.</p>
      <Loaded load={load} what="the featured tokens">
        {({ featured }) =>
          featured.length === 0 ? (
            <Nothing>No token is featured now.</Nothing>
          ) : (
            <ul class="grid tokens">
              {featured.map(({ promotionId, token, endsAt }) => (
                <Card key={promotionId} mint={token.mintAddress} token={token}>
                  <p class="faint">Featured until {moment(endsAt)}</p>
                </Card>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}
