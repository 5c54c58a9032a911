import { useState } from 'preact/hooks';
import { Problem, type Schemas } from 'tokenlaunch/api';
import type { Checker, Wrong } from '../form/document';
import { CallProblem, useCall } from '../ui/call';
import { useNow } from '../ui/clock';
import { lasting } from '../ui/interval';
import { Notice } from '../ui/parts';
import type { Session } from '../wallet/session';
import { changeSettings, order, readSettings, type Settings } from './change';
import { conflicts, drop, type Edits, keep, store, stored, write, written } from './edits';
import { changeOf, type Field, fieldsOf, holdersPercent, labels, lowers } from './fields';
import { Inputs } from './inputs';
import { SaveUnsigned, SignSettings } from './signed';
import { from } from './when';

interface Props {
  readonly session: Session;
  readonly token: Pick<Schemas['Token'], 'mintAddress' | 'decimals' | 'symbol'>;
  readonly settings: Settings;
  /** Null until the rules are loaded; the service checks in any case. */
  readonly checker: Checker | null;
  readonly onSettings: (settings: Settings) => void;
}

/** Reports whether a change lowers the holders' share. */
const worsens = (before: Settings, after: Settings): boolean =>
  holdersPercent(after) < holdersPercent(before);

/** The form for the settings. Typed values are stored on this device until they are saved. */
export function SettingsForm(props: Props) {
  const { session, token, settings, onSettings } = props;
  const mint = token.mintAddress;
  const [edits, setEdits] = useState<Edits>(() => stored(mint));
  const [left, setLeft] = useState<ReadonlySet<Field>>(new Set());
  const [refused, setRefused] = useState<Wrong>({});
  const [saved, setSaved] = useState<Settings | null>(null);
  const call = useCall();
  const now = useNow();

  const fields = fieldsOf(settings, token.decimals);
  const { body, wrong } = changeOf(written(edits), settings, token.decimals, props.checker);
  const clash = conflicts(edits, fields);
  const shown = Object.fromEntries(Object.entries(wrong).filter(([field]) => left.has(field as Field)));
  const changes = Object.keys(edits).length;

  const change = (next: Edits) => {
    setEdits(next);
    store(mint, next);
    setSaved(null);
  };
  const save = (sign: boolean) => {
    setLeft(new Set(Object.keys(labels) as Field[]));
    const [bad] = Object.keys(wrong);
    if (bad) document.getElementById(bad)?.focus();
    if (changes === 0 || clash.length > 0 || bad) return;
    setRefused({});
    setSaved(null);
    void call.run(async () => {
      // If the settings were changed elsewhere since the last read, the creator decides.
      const fresh = await readSettings(session, mint);
      onSettings(fresh);
      if (conflicts(edits, fieldsOf(fresh, token.decimals)).length > 0) return;
      try {
        const signed = sign ? { ...body, order: await order(session, mint, fresh, body) } : body;
        const after = await changeSettings(session, mint, signed);
        onSettings(after);
        change({});
        setLeft(new Set());
        setSaved(after);
      } catch (cause) {
        if (cause instanceof Problem)
          setRefused(Object.fromEntries(cause.fields.map((f) => [f.field.replace(/\[.*/, ''), f.message])));
        throw cause;
      }
    });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save(true);
      }}
      noValidate
      aria-labelledby="settings-title"
    >
      <fieldset disabled={call.busy}>
        <legend class="hidden">Settings</legend>
        <Inputs
          values={{ ...fields, ...written(edits) }}
          wrong={{ ...shown, ...refused }}
          symbol={token.symbol}
          decimals={token.decimals}
          changed={Object.keys(edits) as Field[]}
          onValue={(field, value) => {
            setRefused(({ [field]: _, ...rest }) => rest);
            change(write(edits, field, value, fields));
          }}
          onLeave={(field) => setLeft((was) => new Set([...was, field]))}
        />
        {clash.map((field) => (
          <Notice kind="warn" key={field}>
            <p>
              <strong>{labels[field]}</strong> was changed elsewhere while you were editing. It is now{' '}
              <q>{fields[field] || 'empty'}</q>; you entered <q>{edits[field]?.value || 'nothing'}</q>.
            </p>
            <p class="buttons">
              <button type="button" class="plain" onClick={() => change(keep(edits, field, fields))}>
                Keep mine
              </button>
              <button type="button" class="plain" onClick={() => change(drop(edits, field))}>
                Use the new value
              </button>
            </p>
          </Notice>
        ))}
      </fieldset>
      {worsens(settings, { ...settings, ...body } as Settings) ? (
        <Notice kind="warn">
          <p>
            {holdersPercent({ ...settings, ...body } as Settings) <= 0
              ? 'Holders would get nothing.'
              : `Holders would get ${holdersPercent({ ...settings, ...body } as Settings)}% in place of ${holdersPercent(settings)}%.`}
          </p>
        </Notice>
      ) : null}
      {settings.changeDelay !== 'none' && lowers(settings, { ...settings, ...body } as Settings) ? (
        <Notice kind="warn">
          <p>
            Holders would get less, so this change takes effect after {lasting(settings.changeDelay)}. It is
            public at once.
          </p>
        </Notice>
      ) : null}
      <CallProblem call={call} lost="Your changes are still here.">
        <SaveUnsigned call={call} save={() => save(false)} />
      </CallProblem>
      {saved ? (
        <Notice kind="good">
          <p>Saved. Takes effect with the next distribution, {from(saved.effectiveAt, now)}.</p>
        </Notice>
      ) : null}
      <p class="buttons">
        <button type="submit" disabled={call.busy || changes === 0 || clash.length > 0}>
          {call.busy ? 'Saving …' : 'Save changes'}
        </button>
        {changes > 0 ? (
          <button type="button" class="plain" disabled={call.busy} onClick={() => change({})}>
            Discard
          </button>
        ) : null}
        <span class="faint" aria-live="polite">
          {changes > 0 ? `${changes} unsaved ${changes === 1 ? 'change' : 'changes'}` : ''}
        </span>
      </p>
      {changes === 0 ? <SignSettings {...props} /> : null}
    </form>
  );
}
