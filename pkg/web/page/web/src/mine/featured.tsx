import { useState } from 'preact/hooks';
import { answer, bearer, type Schemas } from 'tokenlaunch/api';
import { api } from '../api/client';
import { Text } from '../form/field';
import { keyOf } from '../form/key';
import { useTyped } from '../form/typed';
import { sol } from '../ui/amount';
import { moment, useNow } from '../ui/clock';
import { Notice } from '../ui/parts';
import { usePoll } from '../ui/poll';
import type { Session } from '../wallet/session';
import { Transaction } from '../wallet/transaction';
import { keepPaid, lastPaid, standing } from './paid';
import { days, MAX_DAYS, priceOf, until } from './price';

/** Buys days of featured placement. */
export function FeaturedPurchase(props: {
  session: Session;
  token: Pick<Schemas['Token'], 'mintAddress' | 'featuredUntil'>;
  /** Reads the token again. */
  reload: () => void;
}) {
  const { session, token, reload } = props;
  const mint = token.mintAddress;
  const form = useTyped(`featured:${mint}`, { durationDays: '7' });
  const [locked, setLocked] = useState(false);
  const [paid, setPaid] = useState(() => lastPaid(mint));
  const now = useNow();
  const count = days(form.values.durationDays);
  const running = token.featuredUntil !== null && Date.parse(token.featuredUntil) > now;
  const state = paid ? standing(paid, token.featuredUntil, now) : null;
  usePoll(reload, state === 'waiting' ? 15_000 : null);
  const wrong = count === null ? { durationDays: `Enter a whole number from 1 to ${MAX_DAYS}.` } : {};
  return (
    <>
      <p>
        {running && token.featuredUntil
          ? `Featured until ${moment(token.featuredUntil)}. Extra days are added to that.`
          : 'Not featured. A place in the featured list costs 0.3 SOL a day.'}
      </p>
      <fieldset disabled={locked}>
        <legend class="hidden">How long</legend>
        <Text
          name="durationDays"
          label="Days"
          needed
          keys="decimal"
          unit={count === null ? '' : `= ${sol(priceOf(count))}`}
          hint={
            count === null
              ? `From 1 to ${MAX_DAYS}.`
              : `Until ${moment(until(count, token.featuredUntil, now).toISOString())}, if you pay now.`
          }
          value={form.values.durationDays}
          onValue={(value) => form.type('durationDays', value)}
          onLeave={() => form.leave('durationDays')}
          error={form.shown(wrong).durationDays}
        />
      </fieldset>
      {state === 'waiting' ? (
        <Notice kind="info">
          <p>
            Paid. It starts when the payment is final, within two minutes. This page updates automatically.
          </p>
        </Notice>
      ) : state === 'arrived' && running && token.featuredUntil ? (
        <Notice kind="good">
          <p>Payment received: featured until {moment(token.featuredUntil)}.</p>
        </Notice>
      ) : state === 'late' ? (
        <Notice kind="warn">
          <p>
            Your payment has not shown up yet, which is unusual. Do not pay again. Check the transaction in
            your wallet and the <a href="/about#status">service status</a>.
          </p>
          <button type="button" class="plain" onClick={reload}>
            Check again
          </button>
        </Notice>
      ) : null}
      <Transaction<Schemas['UnsignedPromotion']>
        kind="promotion"
        of={mint}
        stamp={String(count)}
        session={session}
        title="Pay"
        label="Review payment"
        back="Edit"
        blocked={count === null ? 'Enter the number of days first.' : null}
        deposit={count === null ? 'Days' : `${count} ${count === 1 ? 'day' : 'days'}`}
        onLock={setLocked}
        prepare={(key) =>
          form.tell(async () => {
            const body = { tokenMint: mint, durationDays: count ?? 0 };
            return answer(
              api.POST('/featured/create-unsigned', {
                body,
                headers: { ...bearer(session.token), ...(await keyOf(key, body)) },
              }),
            );
          })
        }
        asked={() => ({ kind: 'promotion', durationDays: count ?? 0 })}
        onDone={() => {
          const made = { before: token.featuredUntil, at: Date.now() };
          keepPaid(mint, made);
          setPaid(made);
          reload();
        }}
      />
    </>
  );
}
