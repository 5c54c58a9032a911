import { useEffect, useRef, useState } from 'preact/hooks';
import { short } from '../../ui/amount';
import { CallProblem, useCall } from '../../ui/call';
import { moment } from '../../ui/clock';
import { Notice } from '../../ui/parts';
import type { Session } from '../../wallet/session';
import { deleteWebhook, testWebhook, type Webhook } from './calls';
import { Deliveries } from './deliveries';
import { eventWords, statusWords } from './words';

/** A webhook with its actions. */
export function Hook(props: {
  session: Session;
  hook: Webhook;
  /** Whether its deliveries are shown. */
  open: boolean;
  onOpen: (open: boolean) => void;
  nameOf: (mint: string) => string | null;
  /** Called after a message that may change the webhook's status. */
  onSent: () => void;
  onGone: () => void;
}) {
  const { session, hook, open, onOpen, nameOf, onSent, onGone } = props;
  const id = `webhook-${hook.webhookId}`;
  const call = useCall();
  const [sent, setSent] = useState(0);
  const [said, setSaid] = useState('');
  const [asking, setAsking] = useState(false);
  const question = useRef<HTMLParagraphElement>(null);
  const remove = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (asking) question.current?.focus();
  }, [asking]);
  const active = hook.status === 'active';
  const send = () =>
    void call.run(async () => {
      await testWebhook(session, hook.webhookId);
      setSent((n) => n + 1);
      setSaid(active ? 'A test message is on its way.' : 'A challenge is on its way.');
      onSent();
    });
  const drop = () =>
    void call.run(async () => {
      await deleteWebhook(session, hook.webhookId);
      onGone();
    });
  return (
    <li class="card webhook" aria-labelledby={id}>
      <h3 id={id}>
        <bdi>{hook.url}</bdi>
      </h3>
      <p>
        <span class={`standing ${hook.status}`}>{statusWords[hook.status]}</span>
        <span class="faint"> · added {moment(hook.createdAt)}</span>
      </p>
      <p>{hook.events.map((name) => eventWords[name]).join(', ')}</p>
      <p>
        {hook.mints.length === 0 ? (
          'All tokens'
        ) : (
          <>
            {hook.mints.length === 1 ? 'Token: ' : 'Tokens: '}
            <bdi>{hook.mints.map((mint) => nameOf(mint) ?? short(mint)).join(', ')}</bdi>
          </>
        )}
      </p>
      {hook.status === 'pending' ? <Pending /> : null}
      {hook.status === 'disabled' ? (
        <Notice kind="warn">
          <p>
            It answered 410, or took no message for five days. Nothing is sent to it. Send a challenge: once
            it is answered, the webhook is active again.
          </p>
        </Notice>
      ) : null}
      <CallProblem call={call} lost="As far as is known, nothing has changed." />
      {said && !call.problem ? (
        <Notice kind="good">
          <p>{said} The deliveries list its outcome.</p>
        </Notice>
      ) : null}
      {asking ? (
        <fieldset class="confirm" disabled={call.busy}>
          <legend class="hidden">Delete this webhook?</legend>
          <p ref={question} tabIndex={-1}>
            <strong>Delete this webhook?</strong> Nothing more is sent to it, and its deliveries can no longer
            be read.
          </p>
          <p class="buttons">
            <button type="button" onClick={drop}>
              {call.busy ? 'Deleting …' : 'Delete webhook'}
            </button>
            <button
              type="button"
              class="plain"
              onClick={() => {
                setAsking(false);
                // The button appears again with the next rendering.
                requestAnimationFrame(() => remove.current?.focus());
              }}
            >
              Keep it
            </button>
          </p>
        </fieldset>
      ) : (
        <p class="buttons">
          <button type="button" class="plain" disabled={call.busy} aria-describedby={id} onClick={send}>
            {active ? 'Send a test' : 'Send a challenge'}
          </button>
          <button
            type="button"
            class="plain"
            aria-expanded={open}
            aria-describedby={id}
            onClick={() => onOpen(!open)}
          >
            Deliveries
          </button>
          <button
            ref={remove}
            type="button"
            class="plain"
            disabled={call.busy}
            aria-describedby={id}
            onClick={() => setAsking(true)}
          >
            Delete
          </button>
        </p>
      )}
      {open ? <Deliveries session={session} hook={hook} sent={sent} nameOf={nameOf} /> : null}
    </li>
  );
}

/** Explains the challenge that a receiver must pass before the first event. */
function Pending() {
  return (
    <Notice kind="info">
      <p>
        A challenge was sent: a signed message of the type <code>webhook.challenge</code>. Answer it with 200
        and <code>{'{"challenge": "…"}'}</code>, the text in its <code>data.challenge</code>, within 10
        seconds. Nothing else is sent before.
      </p>
      <p>
        <a href="/docs#webhooks">How to answer it</a>
      </p>
    </Notice>
  );
}
