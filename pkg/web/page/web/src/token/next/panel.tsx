import { useRef } from 'preact/hooks';
import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../../api/client';
import { useLoad } from '../../api/load';
import { count } from '../../ui/amount';
import { ago, moment, span, useNow } from '../../ui/clock';
import { Loaded } from '../../ui/parts';
import { usePoll, useRound } from '../../ui/poll';
import { type Asset, assetOf, brief, useAssets } from '../asset';
import { Pairs, Section } from '../parts';
import { remark } from './words';

type Preview = Schemas['RunPreview'];

/** The interval at which the figures are fetched again, in milliseconds. */
const EVERY = 120_000;

/** The time until a distribution begins. Screen readers read the time on demand, not each second. */
function Countdown(props: { slot: string }) {
  const now = useNow();
  const left = Date.parse(props.slot) - now;
  return (
    <p class="countdown">
      {left > 0 ? (
        <>
          Starts in <span class="clock">{span(left)}</span>
          <span class="faint">{moment(props.slot)}</span>
        </>
      ) : (
        <>Starting now. It can take a moment to appear below.</>
      )}
    </p>
  );
}

function Age(props: { at: string }) {
  const now = useNow();
  return <span class="faint">Calculated {ago(now - Date.parse(props.at))}.</span>;
}

function Figures(props: { next: Preview; own: Asset; reward: Asset }) {
  const { next, own, reward } = props;
  const share = (units: string | null) => (units === null ? 'Not known yet' : brief(reward, units));
  const note = remark(next);
  const same = own.id === reward.id;
  return (
    <>
      {next.scheduledAt ? <Countdown slot={next.scheduledAt} /> : null}
      {note ? <p class="remark">{note}</p> : null}
      <Pairs
        rows={[
          ['Tax waiting', brief(own, next.spendable)],
          ['Used this time', brief(own, next.slice)],
          ['Burned', brief(own, next.burn)],
          [same ? 'Paid out' : `Sold for ${reward.name}`, brief(own, next.sell)],
          ['To holders', share(next.holders)],
          ['To the creator', share(next.creator)],
        ]}
      />
      <p class="faint">
        {next.price && !same ? `Estimated at the price of the last sale, ${moment(next.price.at)}. ` : ''}
        {next.snapshot ? `${count(next.snapshot.eligible)} holders qualified last time. ` : ''}
        Tax still withheld in holders’ accounts will be added. <Age at={next.computedAt} />
      </p>
    </>
  );
}

/** The next distribution: its start, and its result at present. A new round fetches again. */
export function Next(props: { token: Schemas['Token']; begun: () => void; round: number | null }) {
  const { token, begun, round } = props;
  const load = useLoad(`preview ${token.mintAddress}`, () =>
    answer(api.GET('/distribution/{tokenId}/preview', { params: { path: { tokenId: token.mintAddress } } })),
  );
  const asset = useAssets([token.settings.rewardToken, ...(load.data ? [load.data.rewardToken] : [])], token);
  usePoll(load.reload, EVERY);
  // An ended distribution changes the remaining amount and the price, so fetch again.
  useRound(load.reload, round);
  // At the slot, call `begun` once, and show the figures of the following slot.
  const told = useRef<string | null>(null);
  const slot = load.data?.scheduledAt ?? null;
  usePoll(() => {
    if (slot === null || Date.now() < Date.parse(slot) + 5_000 || told.current === slot) return;
    told.current = slot;
    begun();
    load.reload();
  }, 5_000);
  return (
    <Section id="next" title="Next distribution">
      <div class="card next">
        <Loaded load={load} what="the next distribution">
          {(next) => (
            <Figures next={next} own={assetOf(token.mintAddress, token)} reward={asset(next.rewardToken)} />
          )}
        </Loaded>
      </div>
    </Section>
  );
}
