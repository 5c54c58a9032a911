import { useEffect, useState } from 'preact/hooks';
import { answer, bearer } from 'tokenlaunch/api';
import { api } from '../../api/client';
import { useLoad } from '../../api/load';
import { CallProblem, useCall } from '../../ui/call';
import { moment, useNow } from '../../ui/clock';
import { useLater } from '../../ui/fetched';
import { Address, Loaded } from '../../ui/parts';
import { usePoll } from '../../ui/poll';
import type { Session } from '../../wallet/session';
import { from } from '../when';
import type { Handover } from './body';

/** The interval at which the state is read again, in milliseconds. */
const EVERY = 60_000;

/** The part for the hand-over of the tax: its state, the cancellation, and the form, fetched on request. */
export function HandoverPart(props: { session: Session; mint: string }) {
  const { mint } = props;
  const load = useLoad(`handover ${mint}`, () =>
    answer(api.GET('/distribution/{tokenId}/handover', { params: { path: { tokenId: mint } } })),
  );
  usePoll(load.reload, EVERY);
  const [given, setGiven] = useState<Handover | null>(null);
  // A read is newer than the response to an earlier call.
  useEffect(() => setGiven(null), [load.data]);
  return (
    <Loaded load={load} what="the hand-over">
      {(read) => <Standing {...props} handover={given ?? read} onHandover={setGiven} />}
    </Loaded>
  );
}

function Standing(props: {
  session: Session;
  mint: string;
  handover: Handover;
  onHandover: (handover: Handover) => void;
}) {
  const { session, mint, handover, onHandover } = props;
  const [wanted, want] = useState(false);
  const form = useLater(wanted, () => import('./form'));
  const call = useCall();
  const now = useNow();
  const { status, newAuthority, effectiveAt, doneAt } = handover;
  const to = newAuthority ? <Address address={newAuthority} of="new owner's address" /> : null;
  const cancel = () =>
    void call.run(async () =>
      onHandover(
        await answer(
          api.DELETE('/distribution/{tokenId}/handover', {
            params: { path: { tokenId: mint } },
            headers: bearer(session.token),
          }),
        ),
      ),
    );
  if (status === 'done')
    return (
      <p>
        The tax was handed over to {to}
        {doneAt ? ` on ${moment(doneAt)}` : ''}. The service distributes it no more.
      </p>
    );
  if (status === 'begun')
    return (
      <p>
        The hand-over to {to} has begun and cannot be cancelled any more. First the last distribution is paid.
      </p>
    );
  if (status === 'ordered')
    return (
      <>
        <p>
          The tax goes to {to}, not before {effectiveAt ? from(effectiveAt, now) : 'the next distribution'}.
        </p>
        {handover.orderedBy === 'operator' ? (
          <p>The operator of this service ordered it, so you cannot cancel it.</p>
        ) : (
          <>
            <CallProblem call={call} lost="The hand-over is still ordered." />
            <button type="button" class="plain" disabled={call.busy} onClick={cancel}>
              {call.busy ? 'Cancelling …' : 'Cancel hand-over'}
            </button>
          </>
        )}
      </>
    );
  return (
    <>
      <p>
        Take the tax into your own hands, or give it to another address. It ends the distributions here, for
        good.
      </p>
      {status === 'cancelled' ? (
        <p class="faint">
          Your order to {to} is cancelled. A new order is possible some minutes after a cancellation.
        </p>
      ) : null}
      {form === 'failed' ? (
        <p>The form failed to load. Reload the page.</p>
      ) : form ? (
        <form.HandoverForm {...props} />
      ) : (
        <button type="button" class="plain" disabled={wanted} onClick={() => want(true)}>
          {wanted ? 'Loading …' : 'Hand over the tax'}
        </button>
      )}
    </>
  );
}
