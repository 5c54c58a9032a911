import { useState } from 'preact/hooks';
import { answer, api, bearer, type Schemas } from '../api/client';
import { Text } from '../launch/field';
import { keyOf } from '../launch/key';
import { useTyped } from '../launch/typed';
import { usePoll } from '../token/poll';
import { sol } from '../ui/amount';
import { moment, useNow } from '../ui/clock';
import { Notice } from '../ui/parts';
import type { Session } from '../wallet/session';
import { Transaction } from '../wallet/transaction';
import { days, MOST_DAYS, priceOf, until } from './price';

/** Buys days in the list of featured tokens. */
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
  /** Until when it was featured when a payment was made that has not shown yet. */
  const [paid, setPaid] = useState<{ before: string | null } | null>(null);
  const now = useNow();
  const count = days(form.values.durationDays);
  const running = token.featuredUntil !== null && Date.parse(token.featuredUntil) > now;
  const waiting = paid !== null && paid.before === token.featuredUntil;
  usePoll(reload, waiting ? 15_000 : null);
  const wrong = count === null ? { durationDays: `Write a whole number from 1 to ${MOST_DAYS}.` } : {};
  return (
    <>
      <p>
        {running && token.featuredUntil
          ? `Featured until ${moment(token.featuredUntil)}. More days are added to that.`
          : 'Not featured now. It costs 0.3 SOL a day to be in the list of featured tokens.'}
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
              ? `From 1 to ${MOST_DAYS}.`
              : `Until ${moment(until(count, token.featuredUntil, now).toISOString())}, if it is paid now.`
          }
          value={form.values.durationDays}
          onValue={(value) => form.type('durationDays', value)}
          onLeave={() => form.leave('durationDays')}
          error={form.shown(wrong).durationDays}
        />
      </fieldset>
      {waiting ? (
        <Notice kind="info">
          <p>
            Paid. It begins when the payment is final on the chain: some seconds to two minutes. This page
            looks again by itself.
          </p>
        </Notice>
      ) : paid && token.featuredUntil ? (
        <Notice kind="good">
          <p>Your payment has arrived: featured until {moment(token.featuredUntil)}.</p>
        </Notice>
      ) : null}
      <Transaction<Schemas['UnsignedPromotion']>
        kind="promotion"
        of={mint}
        stamp={String(count)}
        session={session}
        title="Pay for it"
        label="Prepare the payment"
        back="Change the days"
        blocked={count === null ? 'Write how many days first.' : null}
        deposit={count === null ? 'The days' : `${count} ${count === 1 ? 'day' : 'days'}`}
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
        onDone={() => {
          setPaid({ before: token.featuredUntil });
          reload();
        }}
      />
    </>
  );
}
