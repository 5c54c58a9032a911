import { useState } from 'preact/hooks';
import { answer, bearer, type Schemas } from 'tokenlaunch/api';
import { api } from '../api/client';
import { Section } from '../token/parts';
import { CallProblem, useCall } from '../ui/call';
import { Notice } from '../ui/parts';
import type { Session } from '../wallet/session';

/** Links the visitor's Telegram chat to the signed-in wallet, or ends the messages about the wallet. */
export function Telegram(props: { session: Session }) {
  const { session } = props;
  const call = useCall();
  const [code, setCode] = useState<Schemas['HolderTelegramLink'] | null>(null);
  const [ended, setEnded] = useState(false);
  const parameters = { params: { path: { wallet: session.wallet } }, headers: bearer(session.token) };
  const get = () =>
    void call.run(async () => {
      setEnded(false);
      setCode(await answer(api.POST('/holders/{wallet}/telegram/link', parameters)));
    });
  const end = () =>
    void call.run(async () => {
      await answer(api.DELETE('/holders/{wallet}/telegram/link', parameters));
      setCode(null);
      setEnded(true);
    });
  return (
    <Section id="telegram" title="Tell me by Telegram">
      <p>
        At most one message a day: what you were paid, what you can claim, and when a creator lowers the
        holders’ share or pauses payouts. The service stores your wallet and the chat for this. You can end
        the messages here, or by /unlink in the chat, which ends them for all its wallets.
      </p>
      <CallProblem call={call} lost="As far as is known, nothing has changed." />
      {ended ? (
        <Notice kind="good">
          <p>This wallet is not linked to a chat. A message that is on its way may still arrive.</p>
        </Notice>
      ) : null}
      {code ? (
        <Notice kind="good">
          {code.url ? (
            <p>
              <a class="button" href={code.url} target="_blank" rel="noopener noreferrer">
                Open Telegram
              </a>
            </p>
          ) : null}
          <p>
            {code.url ? 'Or send' : 'Send'} this message to{' '}
            {code.bot ? <bdi>@{code.bot}</bdi> : 'the service’s bot'}:
          </p>
          <p>
            <code class="secret">{code.command}</code>
          </p>
          <p>
            The bot answers within two minutes. The code works once, within a day.
            {code.linked ? ' A chat is linked already, and the new chat takes its place.' : ''}
          </p>
        </Notice>
      ) : null}
      <button type="button" class="plain" disabled={call.busy} onClick={get}>
        {code ? 'Get another code' : 'Get a code'}
      </button>{' '}
      <button type="button" class="plain" disabled={call.busy} onClick={end}>
        End the messages
      </button>
    </Section>
  );
}
