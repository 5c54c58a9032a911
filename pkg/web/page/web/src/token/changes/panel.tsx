import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../../api/client';
import { usePages } from '../../api/pages';
import { moment } from '../../ui/clock';
import { Loaded, Older } from '../../ui/parts';
import { useSeen } from '../../ui/seen';
import { Section } from '../parts';
import { difference, type Of } from './words';

const page = (tokenId: string, cursor?: string) =>
  answer(
    api.GET('/distribution/{tokenId}/changes', {
      params: { path: { tokenId }, query: { limit: 10, ...(cursor ? { cursor } : {}) } },
    }),
  );

/** A change. `of` names the token in a list of several tokens. */
export function Entry(props: {
  change: Schemas['PastChange'];
  token: Of;
  of?: Pick<Schemas['Token'], 'mintAddress' | 'symbol'>;
}) {
  const { change, token, of } = props;
  return (
    <li>
      <strong>{moment(change.orderedAt)}</strong>
      {of ? (
        <>
          {' '}
          <a href={`/t/${of.mintAddress}#changes`}>
            <bdi>{of.symbol}</bdi>
          </a>
        </>
      ) : null}
      <ul>
        {change.changed.map((one) => (
          <li key={one.field}>{difference(one, token)}</li>
        ))}
        {change.changed.length === 0 ? <li>The settings of the launch were signed.</li> : null}
      </ul>
      {change.order ? (
        <details class="how">
          <summary>Signed by the creator</summary>
          <pre>{change.order.text}</pre>
          <p class="faint">Signature: {change.order.signature}</p>
        </details>
      ) : (
        <p class="faint">Not signed. Takes effect with the payout of {moment(change.effectiveAt)}.</p>
      )}
    </li>
  );
}

/** The history of the settings: each change with its time, the values, and the creator's signature. */
export function Changes(props: { token: Schemas['Token'] }) {
  const { token } = props;
  const [place, seen] = useSeen<HTMLDivElement>();
  const pages = usePages(seen ? `changes ${token.mintAddress}` : null, {
    page: (cursor) => page(token.mintAddress, cursor),
    items: ({ changes }) => changes,
    id: ({ version }) => version,
  });
  return (
    <Section id="changes" title="Changes by the creator">
      <div ref={place} />
      <Loaded load={pages.load} what="the changes">
        {() =>
          pages.items.length === 0 ? (
            <p>The creator has changed nothing since the launch.</p>
          ) : (
            <>
              <ul class="plain-list changes">
                {pages.items.map((change) => (
                  <Entry change={change} token={token} key={change.version} />
                ))}
              </ul>
              <Older pages={pages} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
