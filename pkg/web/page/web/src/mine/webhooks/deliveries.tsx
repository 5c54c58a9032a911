import { useState } from 'preact/hooks';
import { useLoad } from '../../api/load';
import { short } from '../../ui/amount';
import { CallProblem, useCall } from '../../ui/call';
import { moment, useNow } from '../../ui/clock';
import { Loaded, Notice } from '../../ui/parts';
import { useRound } from '../../ui/poll';
import type { Session } from '../../wallet/session';
import { type Delivery, listDeliveries, replayDelivery, type Webhook } from './calls';
import { useWait } from './wait';
import { outcome, typeWords } from './words';

/** The initial and the maximum number of shown deliveries. */
const FEW = 10;
const MANY = 100;

/** Returns whether sending a delivery again makes sense. A passed challenge proves nothing twice. */
const canReplay = (hook: Webhook, delivery: Delivery): boolean =>
  hook.status === 'active' && delivery.type !== 'webhook.challenge';

/** The deliveries of a webhook, newest first. */
export function Deliveries(props: {
  session: Session;
  hook: Webhook;
  /** The number of messages sent from this page. After a change, the list is read again. */
  sent: number;
  nameOf: (mint: string) => string | null;
}) {
  const { session, hook, sent, nameOf } = props;
  const [limit, setLimit] = useState(FEW);
  const load = useLoad(`deliveries ${hook.webhookId}`, () => listDeliveries(session, hook.webhookId, limit));
  const call = useCall();
  const [again, setAgain] = useState<string | null>(null);
  const now = useNow();
  const waiting = load.data?.deliveries.some((d) => d.status === 'pending') ?? false;
  const expect = useWait(load.reload, waiting, now, sent > 0);
  useRound(load.reload, limit);
  useRound(() => {
    load.reload();
    expect();
  }, sent);
  const replay = (delivery: Delivery) => {
    setAgain(null);
    void call.run(async () => {
      await replayDelivery(session, hook.webhookId, delivery.deliveryId);
      setAgain(delivery.deliveryId);
      load.reload();
      expect();
    });
  };
  return (
    <>
      <Loaded load={load} what="the deliveries">
        {({ deliveries, nextCursor }) =>
          deliveries.length === 0 ? (
            <p>Nothing was sent yet.</p>
          ) : (
            <>
              <ol class="deliveries">
                {deliveries.map((delivery) => (
                  <Line
                    key={delivery.deliveryId}
                    delivery={delivery}
                    now={now}
                    token={delivery.mintAddress ? nameOf(delivery.mintAddress) : null}
                    replay={canReplay(hook, delivery) ? () => replay(delivery) : null}
                    busy={call.busy}
                    queued={again === delivery.deliveryId}
                  />
                ))}
              </ol>
              {nextCursor && limit < MANY ? (
                <button type="button" class="plain" disabled={load.loading} onClick={() => setLimit(MANY)}>
                  Show up to {MANY}
                </button>
              ) : null}
            </>
          )
        }
      </Loaded>
      <CallProblem call={call} lost="As far as is known, nothing was sent again." />
      <p class="faint">Deliveries are kept for 30 days.</p>
    </>
  );
}

function Line(props: {
  delivery: Delivery;
  token: string | null;
  now: number;
  /** Null if the delivery cannot be sent again. */
  replay: (() => void) | null;
  busy: boolean;
  queued: boolean;
}) {
  const { delivery, token, now, replay, busy, queued } = props;
  const { mintAddress, sequence, lastError, status } = delivery;
  return (
    <li>
      <p>
        <strong>{typeWords[delivery.type]}</strong>
        {mintAddress ? (
          <>
            {' · '}
            <bdi title={mintAddress}>{token ?? short(mintAddress)}</bdi>
          </>
        ) : null}
        {sequence === null ? null : ` · No. ${sequence}`}
        <span class="faint"> · {moment(delivery.createdAt)}</span>
      </p>
      <p class={status === 'failed' ? 'bad' : ''}>{outcome(delivery, now)}</p>
      {lastError && status !== 'delivered' ? <p class="faint">{lastError}</p> : null}
      {replay ? (
        <button
          type="button"
          class="small plain"
          disabled={busy}
          aria-label={`Send again: ${typeWords[delivery.type]}, ${moment(delivery.createdAt)}`}
          onClick={replay}
        >
          Send again
        </button>
      ) : null}
      {queued ? (
        <Notice kind="good">
          <p>It is on its way again, with the same webhook-id.</p>
        </Notice>
      ) : null}
    </li>
  );
}
