import type { ComponentChildren } from 'preact';
import { short } from '../ui/amount';
import { Thumb } from './picture';
import { holders, type Listed, record, rewards, tax, traded } from './words';

/**
 * A token in a list. The whole card is a link to the token's page. Names are untrusted, so they are
 * truncated and isolated from the surrounding text. Without a record only the mint is known.
 */
export function Card(props: { mint: string; token: Listed | null; children?: ComponentChildren }) {
  const { mint, token } = props;
  return (
    <li class="card token">
      <Thumb mint={mint} token={token} />
      <div class="about">
        <h3>
          <a href={`/t/${mint}`} title={token?.name}>
            <bdi>{token?.name ?? short(mint)}</bdi>
          </a>
        </h3>
        {token ? (
          <>
            <p class="symbol">
              <bdi>{token.symbol}</bdi>
              {token.status === 'submitted' ? ' · waiting for confirmation' : ''}
            </p>
            <p class="pays">{rewards(token)}</p>
            {[record(token), holders(token), traded(token)].map((line) =>
              line ? <p key={line}>{line}</p> : null,
            )}
            <p class="faint">{tax(token)}</p>
          </>
        ) : null}
        {props.children}
      </div>
    </li>
  );
}
