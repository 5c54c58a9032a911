import { useRef, useState } from 'preact/hooks';
import { useLoad } from '../../api/load';
import { useNow } from '../../ui/clock';
import { Loaded, Notice } from '../../ui/parts';
import type { Session } from '../../wallet/session';
import { AddWebhook, Full } from './add';
import { type CreatedWebhook, listWebhooks, ownTokens } from './calls';
import { Hook } from './hook';
import { Secret } from './secret';
import { useWait } from './wait';
import { MOST } from './words';

/** The webhooks of a wallet, which receive the events of its tokens. */
export function Webhooks(props: { session: Session }) {
  const { session } = props;
  const load = useLoad(`webhooks ${session.wallet}`, () => listWebhooks(session));
  const [choosing, setChoosing] = useState(false);
  const named = choosing || (load.data?.some((hook) => hook.mints.length > 0) ?? false);
  const tokens = useLoad(named ? `all own ${session.wallet}` : null, () => ownTokens(session));
  const [made, setMade] = useState<CreatedWebhook | null>(null);
  const [open, setOpen] = useState<string | null>(null);
  const [gone, setGone] = useState<string | null>(null);
  const [challenged, setChallenged] = useState<string | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const now = useNow();
  const all = load.data?.filter((hook) => hook.webhookId !== gone) ?? [];
  const waiting = all.some(
    ({ status, webhookId }) => status === 'pending' || (status === 'disabled' && webhookId === challenged),
  );
  const expect = useWait(load.reload, waiting, now);
  const nameOf = (mint: string) => tokens.data?.find((token) => token.mintAddress === mint)?.symbol ?? null;
  return (
    <section class="part" id="webhooks" aria-labelledby="webhooks-title">
      <h2 id="webhooks-title" tabIndex={-1} ref={title}>
        Webhooks
      </h2>
      <p>
        Your own server is told what happens to your tokens, by signed messages.{' '}
        <a href="/docs#webhooks">How webhooks work</a>
      </p>
      {made ? <Secret key={made.webhookId} secret={made.secret} onDone={() => setMade(null)} /> : null}
      {gone ? (
        <Notice kind="good">
          <p>Webhook deleted.</p>
        </Notice>
      ) : null}
      <Loaded load={load} what="your webhooks">
        {() => (
          <>
            {all.length === 0 ? (
              <p>No webhooks yet.</p>
            ) : (
              <ul class="webhooks">
                {all.map((hook) => (
                  <Hook
                    key={hook.webhookId}
                    session={session}
                    hook={hook}
                    open={open === hook.webhookId}
                    onOpen={(is) => setOpen(is ? hook.webhookId : null)}
                    nameOf={nameOf}
                    onSent={() => {
                      if (hook.status === 'active') return;
                      setChallenged(hook.webhookId);
                      expect();
                    }}
                    onGone={() => {
                      if (made?.webhookId === hook.webhookId) setMade(null);
                      setGone(hook.webhookId);
                      title.current?.focus();
                      load.reload();
                    }}
                  />
                ))}
              </ul>
            )}
            {all.length >= MOST ? (
              <Full most={MOST} />
            ) : (
              <AddWebhook
                session={session}
                tokens={tokens}
                onChoose={() => setChoosing(true)}
                onAdded={(added) => {
                  setGone(null);
                  setMade(added);
                  load.reload();
                  expect();
                }}
                onDoubt={load.reload}
              />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
