import type { ComponentChildren } from 'preact';
import { addressLink, transactionLink } from '../config';
import { short } from '../ui/amount';
import { Boundary } from '../ui/boundary';

/** A section of the page with a heading that links can target. */
export function Section(props: { id: string; title: string; children: ComponentChildren }) {
  return (
    <section class="part" aria-labelledby={`${props.id}-title`} id={props.id}>
      <h2 id={`${props.id}-title`}>{props.title}</h2>
      <Boundary>{props.children}</Boundary>
    </section>
  );
}

/** A link to another site, opened in a new tab. */
export function Out(props: { href: string; children: ComponentChildren; label?: string }) {
  return (
    <a href={props.href} target="_blank" rel="noopener noreferrer nofollow" aria-label={props.label}>
      {props.children}
    </a>
  );
}

/**
 * A link to a transaction in the explorer. The link's name identifies the transaction, because many
 * links look alike.
 */
export function Transaction(props: { signature: string; what?: string }) {
  const id = short(props.signature);
  return (
    <Out href={transactionLink(props.signature)} label={`${props.what ?? 'transaction'} ${id}`}>
      {props.what ?? id}
    </Out>
  );
}

/** A link to an address in the explorer, with its own text. */
export function Look(props: { address: string; children: ComponentChildren }) {
  return <Out href={addressLink(props.address)}>{props.children}</Out>;
}

/** Large figures, each below its name. A value's last word is its unit. */
export function Figures(props: { rows: readonly (readonly [string, string])[] }) {
  return (
    <dl class="figures">
      {props.rows.map(([name, value]) => {
        const [figure, unit] = /^(\S+) (.+)$/.exec(value)?.slice(1) ?? [value];
        return (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {figure}
              {unit ? <span class="unit"> {unit}</span> : null}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** Names and values side by side. */
export function Pairs(props: { rows: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="pairs">
      {props.rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
