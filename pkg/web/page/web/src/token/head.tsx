import { useState } from 'preact/hooks';
import type { Schemas } from '../api/client';
import { moment } from '../ui/clock';
import { Address, Notice } from '../ui/parts';
import { assetOf, brief } from './asset';
import { linkText, safeLink } from './link';
import { Out, Pairs, Transaction } from './parts';

type Token = Schemas['Token'];

/** The token's picture; its first letters where there is none. */
function Picture(props: { token: Token }) {
  const [broken, setBroken] = useState(false);
  const { token } = props;
  const src = safeLink(token.imageUrl);
  return broken || !src || !token.visible ? (
    <div class="picture letters" aria-hidden="true">
      {[...token.symbol].slice(0, 3).join('')}
    </div>
  ) : (
    <img class="picture" src={src} alt="" width={128} height={128} onError={() => setBroken(true)} />
  );
}

/** What the token's creator says elsewhere. Addresses are strangers' and not vouched for. */
function Links(props: { token: Token }) {
  const { token } = props;
  const links = (
    [
      ['Website', token.website],
      ['X', token.twitter],
      ['Telegram', token.telegram],
    ] as const
  ).flatMap(([name, text]) => {
    const href = safeLink(text);
    return href ? [{ name, href }] : [];
  });
  return links.length === 0 ? null : (
    <ul class="links">
      {links.map(({ name, href }) => (
        <li key={name}>
          {name}: <Out href={href}>{linkText(href)}</Out>
        </li>
      ))}
    </ul>
  );
}

/** What is out of the ordinary with a token, said before everything else. */
export function Standing(props: { token: Token }) {
  const { token } = props;
  if (token.status === 'submitted')
    return (
      <Notice kind="warn">
        <p>
          <strong>Not confirmed yet.</strong> The chain has not decided on this launch. This page looks again
          by itself.
        </p>
      </Notice>
    );
  if (token.status === 'failed')
    return (
      <Notice kind="bad">
        <p>
          <strong>This launch failed.</strong> The chain refused it, so there is no such token.
        </p>
      </Notice>
    );
  if (!token.visible)
    return (
      <Notice kind="warn">
        <p>
          <strong>This token was taken off our lists.</strong> Its picture, description and links are not
          shown here. What is on the chain stays as it is, and so does what holders are owed.
        </p>
      </Notice>
    );
  return null;
}

/** What the creator says. A long text is folded away: what counts is below it. */
function Description(props: { text: string }) {
  const { text } = props;
  const paragraph = <p class="description">{text}</p>;
  if (text.length <= 500 && text.split('\n').length <= 8) return paragraph;
  return (
    <details>
      <summary>What the creator says</summary>
      {paragraph}
    </details>
  );
}

/** Name, picture, addresses and words of a token. */
export function Head(props: { token: Token }) {
  const { token } = props;
  return (
    <header class="token-head">
      <Picture token={token} />
      <div>
        <h1>
          {token.name} <span class="symbol">{token.symbol}</span>
        </h1>
        <Standing token={token} />
        {token.visible && token.description ? <Description text={token.description} /> : null}
        {token.visible ? <Links token={token} /> : null}
        <Pairs
          rows={[
            ['Mint', <Address address={token.mintAddress} of="mint address" key="mint" />],
            ['Creator', <Address address={token.creator} of="creator's address" key="creator" />],
            ['Launched', moment(token.createdAt)],
            ['Supply at launch', brief(assetOf(token.mintAddress, token), token.supply)],
            ['Launch transaction', <Transaction signature={token.signature} key="signature" />],
          ]}
        />
      </div>
    </header>
  );
}
