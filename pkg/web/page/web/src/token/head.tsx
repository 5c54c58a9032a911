import { useState } from 'preact/hooks';
import type { Schemas } from 'tokenlaunch/api';
import { compact } from '../ui/amount';
import { moment } from '../ui/clock';
import { every } from '../ui/interval';
import { Address, Notice } from '../ui/parts';
import { percent } from '../ui/percent';
import { Rosette } from '../ui/rosette';
import { assetOf, brief } from './asset';
import { Payouts } from './figures';
import { shares } from './flow/shares';
import { linkText, safeLink } from './link';
import { LINKS } from './links';
import { Figures, Out, Pairs, Transaction } from './parts';

type Token = Schemas['Token'];

/** The token's picture, or a drawing derived from its address. */
function Picture(props: { token: Token }) {
  const [broken, setBroken] = useState(false);
  const { token } = props;
  const src = safeLink(token.imageUrl);
  return broken || !src || !token.visible ? (
    <Rosette class="picture" seed={token.mintAddress} letters={token.symbol} />
  ) : (
    <img class="picture" src={src} alt="" width={512} height={512} onError={() => setBroken(true)} />
  );
}

/** The creator's links. The addresses are untrusted. */
function Links(props: { token: Token }) {
  const { token } = props;
  const links = LINKS.flatMap(({ name, label }) => {
    const href = safeLink(token[name]);
    return href ? [{ label, href }] : [];
  });
  return links.length === 0 ? null : (
    <ul class="links">
      {links.map(({ label, href }) => (
        <li key={label}>
          {label}: <Out href={href}>{linkText(href)}</Out>
        </li>
      ))}
    </ul>
  );
}

/** Unusual facts about a token, above all other content. */
export function Standing(props: { token: Token }) {
  const { token } = props;
  if (token.status === 'submitted')
    return (
      <Notice kind="warn">
        <p>
          <strong>Waiting for confirmation.</strong> The network has not confirmed this launch yet. This page
          updates automatically.
        </p>
      </Notice>
    );
  if (token.status === 'failed')
    return (
      <Notice kind="bad">
        <p>
          <strong>This launch failed.</strong> The network rejected it, so the token does not exist.
        </p>
      </Notice>
    );
  if (!token.visible)
    return (
      <Notice kind="warn">
        <p>
          <strong>This token was removed from our lists.</strong> Its picture, description and links are
          hidden here. Nothing changes on chain, and holders still get what they are owed.
        </p>
      </Notice>
    );
  return null;
}

/** The creator's description. A long text is folded, because the important facts are below. */
function Description(props: { text: string }) {
  const { text } = props;
  const paragraph = <p class="description">{text}</p>;
  if (text.length <= 500 && text.split('\n').length <= 8) return paragraph;
  return (
    <details>
      <summary>The creator’s description</summary>
      {paragraph}
    </details>
  );
}

/** The token's benefits for holders, in figures. */
function Deal(props: { token: Token }) {
  const { token } = props;
  const { tax, holders } = shares(token);
  const { settings } = token;
  const reward = assetOf(settings.rewardToken, token).name;
  return (
    <Figures
      rows={[
        ['Tax on every transfer', percent(tax)],
        ['of it goes to holders', percent(holders)],
        settings.distributionEnabled
          ? [`paid ${every(settings.distributionInterval)}`, reward]
          : ['until the creator resumes distributions', 'Paused'],
        ['Supply at launch', compact(token.supply, token.decimals)],
      ]}
    />
  );
}

/** Name, picture, figures, words and addresses of a token. */
export function Head(props: { token: Token }) {
  const { token } = props;
  return (
    <header class="token-head">
      <Picture token={token} />
      <div>
        <h1>
          <bdi>{token.name}</bdi>{' '}
          <span class="symbol">
            <bdi>{token.symbol}</bdi>
          </span>
        </h1>
        <Standing token={token} />
        <Payouts token={token} />
        {token.status === 'failed' ? null : <Deal token={token} />}
        {token.visible && token.description ? <Description text={token.description} /> : null}
        {token.visible ? <Links token={token} /> : null}
        <Pairs
          rows={[
            ['Mint', <Address address={token.mintAddress} of="mint address" key="mint" />],
            [
              'Creator',
              <span key="creator">
                <Address address={token.creator} of="creator's address" />{' '}
                <a href={`/c/${token.creator}`}>All tokens of this creator</a>
              </span>,
            ],
            ['Launched', moment(token.createdAt)],
            ['Supply at launch', brief(assetOf(token.mintAddress, token), token.supply)],
            ['Launch transaction', <Transaction signature={token.signature} key="signature" />],
          ]}
        />
      </div>
    </header>
  );
}
