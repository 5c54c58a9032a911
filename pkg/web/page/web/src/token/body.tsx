import type { Schemas } from 'tokenlaunch/api';
import { Boundary } from '../ui/boundary';
import { Share } from '../ui/share';
import { useTarget } from '../ui/target';
import { Badge } from './badge';
import { Changes } from './changes/panel';
import { Contents } from './contents';
import { CurvePanel } from './curve/panel';
import { Distributions } from './distributions';
import { Facts } from './facts/panel';
import { FiguresPanel } from './figures';
import { Flow } from './flow/panel';
import { Head } from './head';
import { Holder } from './holder/panel';
import { MarketLine } from './market';
import { Pools } from './pools';

/** The content of an existing token's page. Each part loads separately. */
export function Body(props: { token: Schemas['Token'] }) {
  const { token } = props;
  useTarget();
  return (
    <>
      <Boundary>
        <Head token={token} />
      </Boundary>
      {token.visible && token.status === 'confirmed' ? (
        <Share title={`${token.name} (${token.symbol})`} link={`${location.origin}/t/${token.mintAddress}`} />
      ) : null}
      {token.status === 'failed' ? null : (
        <>
          <MarketLine token={token} />
          <Boundary>
            <Contents token={token} />
          </Boundary>
          {token.status === 'confirmed' && token.launchpad ? (
            <Boundary>
              <CurvePanel token={token} />
            </Boundary>
          ) : null}
          <Boundary>
            <FiguresPanel token={token} />
          </Boundary>
          <Boundary>
            <Facts token={token} />
          </Boundary>
          <Boundary>
            <Flow token={token} />
          </Boundary>
          {token.status === 'confirmed' ? (
            <>
              <Boundary>
                <Changes token={token} />
              </Boundary>
              <Boundary>
                <Pools token={token} />
              </Boundary>
              <Boundary>
                <Distributions token={token} />
              </Boundary>
              <Boundary>
                <Holder token={token} />
              </Boundary>
              {token.visible ? (
                <Boundary>
                  <Badge token={token} />
                </Boundary>
              ) : null}
            </>
          ) : null}
        </>
      )}
    </>
  );
}
