import { useEffect, useRef } from 'preact/hooks';
import type { Load } from '../../api/load';
import { Check, Choice, Text } from '../../form/field';
import { useTyped } from '../../form/typed';
import { CallProblem, useCall } from '../../ui/call';
import { Loaded, Notice } from '../../ui/parts';
import type { Session } from '../../wallet/session';
import { addWebhook, type CreatedWebhook, type Own } from './calls';
import { events, eventWords } from './words';

const initial: Readonly<Record<string, string | boolean>> = {
  url: '',
  scope: 'all',
  'event:run.settled': true,
  'event:run.failed': true,
};

const wrongURL = (url: string): string | null => {
  if (url === '') return 'Enter the address of your receiver.';
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
    ? null
    : 'Enter a whole address, such as https://hooks.example.com/tokens.';
};

/** Adds a webhook. */
export function AddWebhook(props: {
  session: Session;
  tokens: Load<readonly Own[]>;
  /** Called when the creator wants to choose tokens. */
  onChoose: () => void;
  onAdded: (added: CreatedWebhook) => void;
  /** Called if the outcome of adding is unknown, or the known list is stale. */
  onDoubt: () => void;
}) {
  const { session, tokens, onChoose, onAdded, onDoubt } = props;
  const form = useTyped('webhook', initial);
  const call = useCall();
  const at = useRef<HTMLFormElement>(null);
  const { values } = form;
  const url = String(values.url).trim();
  const chosen = values.scope === 'chosen';
  const told = events.filter((name) => values[`event:${name}`] === true);
  const mints = chosen
    ? (tokens.data ?? []).map((t) => t.mintAddress).filter((mint) => values[`mint:${mint}`] === true)
    : [];
  const wrong: Record<string, string> = {};
  const bad = wrongURL(url);
  if (bad) wrong.url = bad;
  if (told.length === 0) wrong.events = 'Choose at least one event.';
  if (chosen && mints.length === 0) wrong.mints = 'Choose at least one token.';
  const shown = form.shown(wrong);
  useEffect(() => {
    if (chosen) onChoose();
  }, [chosen]);
  // Show the service's error of the URL at the URL's field.
  const refused = call.problem?.code === 'url_not_allowed';
  useEffect(() => {
    if (refused && !call.busy) at.current?.querySelector<HTMLElement>('#url')?.focus();
  }, [refused, call.busy]);
  const save = () => {
    const first = Object.keys(wrong)[0];
    if (first) {
      form.leave('url', 'events', 'mints');
      const field = first === 'url' ? '#url' : `#${first} input`;
      at.current?.querySelector<HTMLElement>(field)?.focus();
      return;
    }
    void call.run(async () => {
      try {
        onAdded(
          await form.tell(() => addWebhook(session, { url, events: told, ...(chosen ? { mints } : {}) })),
        );
        form.clear();
      } catch (cause) {
        onDoubt();
        throw cause;
      }
    });
  };
  return (
    <form
      ref={at}
      class="card"
      aria-labelledby="webhook-add"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <h3 id="webhook-add">Add a webhook</h3>
      <fieldset disabled={call.busy}>
        <legend class="hidden">Webhook</legend>
        <Text
          name="url"
          label="URL"
          needed
          keys="url"
          placeholder="https://"
          hint="Public, https, on port 443 or 8443. A challenge is sent to it at once."
          value={String(values.url)}
          onValue={(value) => form.type('url', value)}
          onLeave={() => form.leave('url')}
          error={shown.url}
        />
        <fieldset id="events" aria-describedby={shown.events ? 'events-error' : undefined}>
          <legend>Events</legend>
          {events.map((name) => (
            <Check
              key={name}
              name={`event:${name}`}
              label={eventWords[name]}
              value={values[`event:${name}`] === true}
              onValue={(value) => {
                form.leave('events');
                form.type(`event:${name}`, value);
              }}
            />
          ))}
          <p class="error" id="events-error" aria-live="polite">
            {shown.events ?? ''}
          </p>
        </fieldset>
        <Choice
          name="scope"
          label="Tokens"
          value={String(values.scope)}
          onValue={(value) => form.type('scope', value)}
          options={[
            ['all', 'All, and future ones'],
            ['chosen', 'Only tokens I choose'],
          ]}
        />
        {chosen ? (
          <fieldset id="mints" aria-describedby={shown.mints ? 'mints-error' : undefined}>
            <legend>Which tokens</legend>
            <Loaded load={tokens} what="your tokens">
              {(list) =>
                list.length === 0 ? (
                  <p>This wallet has no confirmed token yet. Choose all tokens instead.</p>
                ) : (
                  <div class="choices">
                    {list.map((token) => (
                      <Check
                        key={token.mintAddress}
                        name={`mint:${token.mintAddress}`}
                        label={`${token.name} (${token.symbol})`}
                        value={values[`mint:${token.mintAddress}`] === true}
                        onValue={(value) => {
                          form.leave('mints');
                          form.type(`mint:${token.mintAddress}`, value);
                        }}
                      />
                    ))}
                  </div>
                )
              }
            </Loaded>
            <p class="error" id="mints-error" aria-live="polite">
              {shown.mints ?? ''}
            </p>
          </fieldset>
        ) : null}
      </fieldset>
      {refused ? null : (
        <CallProblem
          call={call}
          lost={
            call.problem && (call.problem.status === 0 || call.problem.status >= 500)
              ? 'It may have been added all the same. If it is in the list, its secret is lost: delete it and add it again.'
              : 'Nothing was added.'
          }
        />
      )}
      <p class="buttons">
        <button type="submit" disabled={call.busy}>
          {call.busy ? 'Adding …' : 'Add webhook'}
        </button>
      </p>
    </form>
  );
}

/** Explains why no webhook can be added. */
export function Full(props: { most: number }) {
  return (
    <Notice kind="info">
      <p>
        A wallet can have {props.most} webhooks, and you have {props.most}. Delete one to add another.
      </p>
    </Notice>
  );
}
