import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../../api/client';
import { usePages } from '../../api/pages';
import { moment } from '../../ui/clock';
import { Loaded, Older } from '../../ui/parts';
import { percent } from '../../ui/percent';
import { useRound } from '../../ui/poll';
import { useSeen } from '../../ui/seen';
import { assetOf, brief } from '../asset';
import { Pairs, Section, Transaction } from '../parts';

const page = (mintAddress: string, cursor?: string) =>
  answer(
    api.GET('/burns/{mintAddress}', {
      params: { path: { mintAddress }, query: { limit: 10, ...(cursor ? { cursor } : {}) } },
    }),
  );

/** Returns an amount as a part of the launched supply, in words, rounded down to a hundredth of a percent. */
export function partOf(amount: string, supply: string): string {
  const points = Number((BigInt(amount) * 10_000n) / BigInt(supply));
  if (amount === '0') return percent(0);
  return points === 0 ? 'less than 0.01%' : percent(points);
}

/**
 * The burns of a token: the sum, the remaining supply, and each burn with its transaction. A new
 * round fetches again.
 */
export function Burns(props: { token: Schemas['Token']; round: number | null }) {
  const { token } = props;
  const own = assetOf(token.mintAddress, token);
  const [place, seen] = useSeen<HTMLDivElement>();
  const pages = usePages(seen ? `burns ${token.mintAddress}` : null, {
    page: (cursor) => page(token.mintAddress, cursor),
    items: ({ burns }) => burns,
    id: ({ id }) => id,
  });
  useRound(pages.load.reload, props.round);
  return (
    <Section id="burns" title="Burned">
      <div ref={place} />
      <Loaded load={pages.load} what="the burns">
        {(got) => (
          <>
            <Pairs
              rows={[
                [
                  'Burned by distributions',
                  `${brief(own, got.totalBurned)} (${partOf(got.totalBurned, token.supply)} of the supply)`,
                ],
                ['Supply now', brief(own, got.currentSupply)],
              ]}
            />
            {pages.items.length === 0 ? (
              <p>Nothing has been burned yet.</p>
            ) : (
              <ul class="plain-list burns">
                {pages.items.map((burn) => (
                  <li key={burn.id}>
                    {moment(burn.timestamp)}: {brief(own, burn.amount)}{' '}
                    <Transaction signature={burn.signature} what="transaction" />
                  </li>
                ))}
              </ul>
            )}
            <Older pages={pages} />
          </>
        )}
      </Loaded>
    </Section>
  );
}
