import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../api/client';
import { useLoad } from '../api/load';
import { Opening } from '../token/curve/opens';
import { digits } from '../token/curve/price';
import { Loaded, Progress } from '../ui/parts';
import { basisPoints, percent } from '../ui/percent';
import { Card } from './card';
import { More, Nothing } from './more';
import type { Listed } from './words';

/** Number of curves on a page of the list. */
const LIMIT = 12;

const ends: Readonly<Record<Schemas['Curve']['status'], string>> = {
  active: '',
  completed: 'Target reached. It trades as a pool now.',
  cancelled: 'Cancelled by its creator.',
};

/** A curve's card, with its progress. */
function CurveCard(props: { curve: Omit<Schemas['Curve'], 'token'> & { token?: Listed } }) {
  const { curve } = props;
  return (
    <Card mint={curve.mintAddress} token={curve.token ?? null}>
      <Progress
        label={`${digits(curve.solCollected, 4)} of ${curve.targetMarketCap} SOL (${percent(basisPoints(curve.progress))})`}
        value={curve.progress / 100}
      />
      <Opening curve={curve} />
      {curve.official ? null : <p class="faint">Not created by the token’s creator.</p>}
      {ends[curve.status] ? <p class="faint">{ends[curve.status]}</p> : null}
    </Card>
  );
}

/** The tokens that are sold on a bonding curve. */
export function Launchpad(props: { after: string | null }) {
  const { after } = props;
  const load = useLoad(`launchpad:${after}`, () =>
    answer(
      api.GET('/launchpad', { params: { query: { limit: LIMIT, ...(after ? { cursor: after } : {}) } } }),
    ),
  );
  return (
    <>
      <p class="faint">
        Sold on a bonding curve: the price rises with every purchase until the target is reached.
      </p>
      <Loaded load={load} what="the launchpad">
        {({ launchpad, nextCursor }) => (
          <>
            {launchpad.length === 0 ? (
              <Nothing>{after ? 'No more tokens.' : 'No token is on a curve yet.'}</Nothing>
            ) : (
              <ul class="grid tokens">
                {launchpad.map((curve) => (
                  <CurveCard key={curve.bondingCurveId} curve={curve} />
                ))}
              </ul>
            )}
            <More
              back={after ? { list: 'launchpad' } : null}
              on={nextCursor ? { list: 'launchpad', after: nextCursor } : null}
            />
          </>
        )}
      </Loaded>
    </>
  );
}
