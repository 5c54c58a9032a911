import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { type Problem, problemFrom, type Schemas } from 'tokenlaunch/api';
import type { Checkers } from '../form/document';
import type { Market } from '../launch/market';
import { Trouble } from '../ui/parts';
import type { Session } from '../wallet/session';

type Props = Parameters<typeof Market>[0];

/** The markets of the token, or the ways to create a market. The forms are fetched on request. */
export function Markets(props: { session: Session; token: Schemas['Token']; checkers: Checkers | null }) {
  const { token } = props;
  const [Form, setForm] = useState<ComponentType<Props> | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const open = () =>
    import('../launch/market').then(
      (module) => setForm(() => module.Market),
      (cause) => setProblem(problemFrom(cause)),
    );
  const at = [
    ...(token.launchpad ? [['curve', `Bonding curve (${token.launchpad.status})`] as const] : []),
    ...(token.pools.length > 0 ? [['pools', `Pools (${token.pools.length})`] as const] : []),
  ];
  return (
    <>
      {at.length > 0 ? (
        <ul>
          {at.map(([part, name]) => (
            <li key={part}>
              <a href={`/t/${token.mintAddress}#${part}`}>{name}</a>
            </li>
          ))}
        </ul>
      ) : Form ? (
        <Form
          session={props.session}
          token={{ ...token, mint: token.mintAddress }}
          checkers={props.checkers}
        />
      ) : (
        <>
          <p>The token has no market yet. Open a bonding curve or a pool.</p>
          {problem ? <Trouble problem={problem} /> : null}
          <button type="button" class="plain" onClick={() => void open()}>
            Open a market
          </button>
        </>
      )}
    </>
  );
}
