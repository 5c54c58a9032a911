import { useState } from 'preact/hooks';
import { answer, bearer, type Schemas } from 'tokenlaunch/api';
import { api } from '../api/client';
import { CallProblem, useCall } from '../ui/call';
import { Notice } from '../ui/parts';
import type { Session } from '../wallet/session';
import type { Settings } from './change';

interface Group {
  session: Session;
  mint: string;
  settings: Settings;
  onSettings: (settings: Settings) => void;
}

/** Links the group of the settings, as they are saved, or tries whether it can be reached. */
export function Telegram(props: Group) {
  if (!props.settings.telegramGroupId)
    return <p>No group yet. Add one in the settings above, then link it here.</p>;
  return props.settings.telegramLinked ? <Test {...props} /> : <Link {...props} />;
}

/** Gets the code that an administrator posts in the group. */
function Link({ session, mint, settings, onSettings }: Group) {
  const call = useCall();
  const [code, setCode] = useState<Schemas['TelegramLink'] | null>(null);
  const [waits, setWaits] = useState(false);
  const group = settings.telegramGroupId;
  const parameters = { params: { path: { tokenId: mint } }, headers: bearer(session.token) };
  const get = () =>
    void call.run(async () => {
      setWaits(false);
      setCode(await answer(api.POST('/distribution/{tokenId}/telegram/link', parameters)));
    });
  const look = () =>
    void call.run(async () => {
      const now = await answer(api.GET('/distribution/{tokenId}/settings', parameters));
      setWaits(!now.telegramLinked);
      onSettings(now);
    });
  return (
    <>
      <p>
        <bdi>{group}</bdi> gets no messages yet: an administrator of the group must agree first.
      </p>
      <CallProblem call={call} lost="As far as is known, nothing was linked." />
      {code && code.telegramGroupId === group ? (
        <Notice kind="good">
          <p>
            Add {code.bot ? <bdi>@{code.bot}</bdi> : 'the service’s bot'} to the group. Then post this message
            there, as an administrator, within a day:
          </p>
          <p>
            <code class="secret">{code.command}</code>
          </p>
          <p>The bot answers within two minutes. The code works once, and only in this group.</p>
        </Notice>
      ) : null}
      {waits ? <output>Not linked yet.</output> : null}
      <button type="button" class="plain" disabled={call.busy} onClick={get}>
        {code ? 'Get another code' : 'Get a code'}
      </button>
      {code ? (
        <button type="button" class="plain" disabled={call.busy} onClick={look}>
          I have posted it
        </button>
      ) : null}
    </>
  );
}

/** Tests whether the group can be reached. */
function Test({ session, mint, settings }: Group) {
  const call = useCall();
  const [sent, setSent] = useState('');
  const test = () => {
    setSent('');
    void call.run(async () => {
      const queued = await answer(
        api.POST('/distribution/{tokenId}/telegram/test', {
          params: { path: { tokenId: mint } },
          headers: bearer(session.token),
        }),
      );
      setSent(queued.telegramGroupId);
    });
  };
  return (
    <>
      <p>
        Messages go to <bdi>{settings.telegramGroupId}</bdi>. An administrator of the group ends this by
        posting /unlink there.
      </p>
      <CallProblem call={call} lost="As far as is known, no message was sent." />
      {sent ? (
        <Notice kind="good">
          <p>
            A message is on its way to <bdi>{sent}</bdi>. It should arrive within a minute.
          </p>
          <p>
            If it does not arrive, allow the service’s bot to post in the group. This page cannot see
            Telegram’s answer.
          </p>
        </Notice>
      ) : null}
      <button type="button" class="plain" disabled={call.busy} onClick={test}>
        {call.busy ? 'Sending …' : 'Send a test message'}
      </button>
    </>
  );
}
