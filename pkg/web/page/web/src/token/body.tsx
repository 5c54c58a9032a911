import type { Schemas } from 'tokenlaunch/api';
import { Badge } from './badge';
import { Contents } from './contents';
import { CurvePanel } from './curve/panel';
import { Distributions } from './distributions';
import { Facts } from './facts/panel';
import { Flow } from './flow/panel';
import { Head } from './head';
import { Holder } from './holder/panel';
import { Pools } from './pools';

/** The content of an existing token's page. Each part loads separately. */
export function Body(props: { token: Schemas['Token'] }) {
  const { token } = props;
  return (
    <>
      <Head token={token} />
      {token.status === 'failed' ? null : (
        <>
          <Contents token={token} />
          <Facts token={token} />
          <Flow token={token} />
          {token.status === 'confirmed' ? (
            <>
              {token.launchpad ? <CurvePanel token={token} /> : null}
              <Pools token={token} />
              <Distributions token={token} />
              <Holder token={token} />
              {token.visible ? <Badge token={token} /> : null}
            </>
          ) : null}
        </>
      )}
    </>
  );
}
