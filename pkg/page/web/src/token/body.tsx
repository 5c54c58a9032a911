import type { Schemas } from '../api/client';
import { Distributions } from './distributions';
import { Facts } from './facts/panel';
import { Flow } from './flow/panel';
import { Head } from './head';
import { Holder } from './holder/panel';

/** What is shown of a token that there is. Each part loads on its own. */
export function Body(props: { token: Schemas['Token'] }) {
  const { token } = props;
  return (
    <>
      <Head token={token} />
      {token.status === 'failed' ? null : (
        <>
          <Facts token={token} />
          <Flow token={token} />
          {token.status === 'confirmed' ? (
            <>
              <Distributions token={token} />
              <Holder token={token} connected={null} />
            </>
          ) : null}
        </>
      )}
    </>
  );
}
