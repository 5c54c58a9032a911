import { base58 } from '@scure/base';
import { useState } from 'preact/hooks';
import { answer, bearer } from 'tokenlaunch/api';
import { handoverText } from 'tokenlaunch/proof';
import { api } from '../../api/client';
import { Text } from '../../form/field';
import { keyOf } from '../../form/key';
import { useTyped } from '../../form/typed';
import { CallProblem, useCall } from '../../ui/call';
import { moment, useNow } from '../../ui/clock';
import { Address, Notice } from '../../ui/parts';
import type { Session } from '../../wallet/session';
import { atFirst, bodyOf, delay, type Handover, type Typed, type Unsigned } from './body';

/** An order under review: the form is locked, and the wallet signs exactly this text. */
interface Review {
  readonly order: Unsigned;
  readonly text: string;
  /** The idempotency key, so that a retry of a lost response orders nothing twice. */
  readonly key: string;
}

/** Orders the hand-over of the token's tax. */
export function HandoverForm(props: {
  session: Session;
  mint: string;
  handover: Handover;
  onHandover: (handover: Handover) => void;
}) {
  const { session, mint, handover } = props;
  const form = useTyped(`handover:${mint}`, atFirst);
  const [review, setReview] = useState<Review | null>(null);
  const call = useCall();
  const now = useNow();
  const { body, wrong } = bodyOf(form.values, now, handover);
  const shown = form.shown(wrong);
  const text = (name: keyof Typed) => ({
    name: `handover-${name}`,
    value: form.values[name],
    error: shown[name],
    onValue: (value: string) => form.type(name, value),
    onLeave: () => form.leave(name),
  });
  const open = () => {
    form.leave('newAuthority', 'effectiveAt');
    const [bad] = Object.keys(wrong);
    if (bad) {
      document.getElementById(`handover-${bad}`)?.focus();
      return;
    }
    const order = body as Unsigned;
    const written = handoverText(mint, { ...order, effectiveAt: new Date(order.effectiveAt) });
    setReview({ order, text: written, key: crypto.randomUUID() });
  };
  const sign = ({ order, text: signed, key }: Review) =>
    void call.run(() =>
      form.tell(async () => {
        const whole = { ...order, signature: base58.encode(await session.signText(signed)) };
        const after = await answer(
          api.POST('/distribution/{tokenId}/handover', {
            params: { path: { tokenId: mint } },
            body: whole,
            headers: { ...bearer(session.token), ...(await keyOf(key, whole)) },
          }),
        );
        form.clear();
        props.onHandover(after);
      }),
    );
  return (
    <>
      <fieldset disabled={review !== null}>
        <legend class="hidden">Who gets the tax, and when</legend>
        <div class="pair">
          <Text
            {...text('newAuthority')}
            label="New owner of the tax"
            needed
            hint="The address that may collect the tax from then on. It cannot be taken back."
          />
          <Text
            {...text('effectiveAt')}
            type="datetime-local"
            label="Not before"
            needed
            hint={`In your own time, at least ${delay(handover.delaySeconds)} from now.`}
          />
        </div>
      </fieldset>
      {review === null ? (
        <p class="buttons">
          <button type="button" onClick={open}>
            Review hand-over
          </button>
        </p>
      ) : (
        <section class="card" aria-labelledby="handover-review">
          <h4 id="handover-review">Hand over the tax</h4>
          <Notice kind="warn">
            <p>
              From {moment(review.order.effectiveAt)} on, the tax goes to{' '}
              <Address address={review.order.newAuthority} of="new owner's address" />, for good. The next
              distribution then is the last one here, even of a paused token.
            </p>
            <p>Everyone can see the order at once. You can cancel it until it has begun.</p>
          </Notice>
          <p>Your wallet signs this text:</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll the text. */}
          <pre tabIndex={0}>{review.text}</pre>
          <CallProblem call={call} lost="If the order was taken, it is shown here after a reload." />
          <p class="buttons">
            <button type="button" disabled={call.busy} onClick={() => sign(review)}>
              {call.busy ? 'Signing …' : 'Sign hand-over'}
            </button>
            <button type="button" class="plain" disabled={call.busy} onClick={() => setReview(null)}>
              Edit
            </button>
          </p>
        </section>
      )}
    </>
  );
}
