import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Problem } from 'tokenlaunch/api';
import type { Load } from '../api/load';
import type { Page, Pages } from '../api/pages';
import { addressLink } from '../config';
import { short } from './amount';
import { inWords, span, useNow } from './clock';

/** A notice. Screen readers read the notice when it appears. */
export function Notice(props: { kind: 'info' | 'good' | 'warn' | 'bad'; children: ComponentChildren }) {
  return (
    <div class={`notice ${props.kind}`} role={props.kind === 'bad' ? 'alert' : 'status'}>
      {props.children}
    </div>
  );
}

/** Describes a problem in a sentence. A route's rate limit is described in general words. */
export const said = (problem: Problem): string =>
  problem.code === 'rate_limit_exceeded' ? 'Too many requests in a short time.' : problem.detail;

/**
 * A problem, the time of the retry, and a way to retry now. With `freeAt` nothing is retried
 * automatically, and the notice tells the reader when `again` works.
 */
export function Trouble(props: {
  problem: Problem;
  retryAt?: number | null;
  freeAt?: number | null;
  again?: string | undefined;
  retry?: () => void;
}) {
  const now = useNow();
  const { problem, retryAt, freeAt, again = 'You can try again', retry } = props;
  return (
    <Notice kind="bad">
      {freeAt && props.again && problem.code === 'rate_limit_exceeded' ? null : <p>{said(problem)}</p>}
      {freeAt ? <p>{freeAt > now ? `${again} in ${inWords(freeAt - now)}.` : `${again} now.`}</p> : null}
      {retryAt ? <p>Trying again in {span(retryAt - now)}.</p> : null}
      {retry ? (
        <button type="button" class="plain" onClick={retry}>
          Try now
        </button>
      ) : null}
      {problem.requestId ? <p class="faint">Request ID {problem.requestId}</p> : null}
    </Notice>
  );
}

/** Shows loaded data, or the progress of loading. Old data stays during a new fetch. */
export function Loaded<T>(props: { load: Load<T>; what: string; children: (data: T) => ComponentChildren }) {
  const { load, what } = props;
  return (
    <>
      {load.problem ? <Trouble problem={load.problem} retryAt={load.retryAt} retry={load.reload} /> : null}
      {load.loading && load.slow ? (
        <Notice kind="info">This is taking longer than usual. Still loading {what} …</Notice>
      ) : null}
      {load.data !== null ? (
        props.children(load.data)
      ) : load.loading ? (
        <p class="faint">Loading {what} …</p>
      ) : null}
    </>
  );
}

/** The button for the next page of a list, or the problem of the last try. */
export function Older<T, P extends Page>(props: { pages: Pages<T, P> }) {
  const { more, loadingMore, problem } = props.pages;
  if (problem) return <Trouble problem={problem} retry={more ?? (() => {})} />;
  return more ? (
    <p>
      <button type="button" class="plain" onClick={more} disabled={loadingMore}>
        {loadingMore ? 'Loading …' : 'Show older'}
      </button>
    </p>
  ) : null;
}

/** A shortened address with ways to copy and look up the address. */
export function Address(props: { address: string; of?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(props.address).then(() => setCopied(true));
  return (
    <span class="address">
      <a href={addressLink(props.address)} title={props.address} rel="noreferrer" target="_blank">
        {short(props.address)}
      </a>{' '}
      <button type="button" class="small plain" aria-label={`Copy ${props.of ?? 'address'}`} onClick={copy}>
        {copied ? 'Copied' : 'Copy'}
      </button>
      <span class="hidden" aria-live="polite">
        {copied ? `Copied ${props.of ?? 'address'}` : ''}
      </span>
    </span>
  );
}

/** A progress bar from 0 to 1; without a value the bar only moves. */
export function Progress(props: { label: string; value?: number }) {
  return (
    <label class="progress">
      <span>{props.label}</span>
      <progress max={1} {...(props.value === undefined ? {} : { value: props.value })} />
    </label>
  );
}
