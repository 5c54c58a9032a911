import { useState } from 'preact/hooks';
import { answer, bearer } from 'tokenlaunch/api';
import { api } from '../api/client';
import { Notice } from '../ui/parts';
import type { Session } from '../wallet/session';
import { CallProblem, useCall } from './call';

/** Tests whether the group in the saved settings can be reached. */
export function TelegramTest(props: { session: Session; mint: string; group: string }) {
  const { session, mint, group } = props;
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
  if (!group) return <p>No group yet. Add one in the settings above, then test it here.</p>;
  return (
    <>
      <p>
        Messages go to <bdi>{group}</bdi>.
      </p>
      <CallProblem call={call} lost="As far as is known, no message was sent." />
      {sent ? (
        <Notice kind="good">
          <p>
            A message is on its way to <bdi>{sent}</bdi>. It should arrive within a minute.
          </p>
          <p>
            If it does not arrive, add the service’s bot to the group and allow it to post, or check the
            group’s number. This page cannot see Telegram’s answer.
          </p>
        </Notice>
      ) : null}
      <button type="button" class="plain" disabled={call.busy} onClick={test}>
        {call.busy ? 'Sending …' : 'Send a test message'}
      </button>
    </>
  );
}
