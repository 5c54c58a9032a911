import { useState } from 'preact/hooks';
import { answer, type Problem, problemFrom, type Schemas } from 'tokenlaunch/api';
import { api } from '../../api/client';
import { useLoad } from '../../api/load';
import { moment } from '../../ui/clock';
import { Loaded, Trouble } from '../../ui/parts';
import { useSeen } from '../../ui/seen';
import { assetOf, brief } from '../asset';
import { Pairs, Section, Transaction } from '../parts';
import { percent } from '../percent';
import { useRound } from '../poll';

type Burn = Schemas['Burn'];

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
  const [older, setOlder] = useState<{ burns: readonly Burn[]; cursor: string | null } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [place, seen] = useSeen<HTMLDivElement>();
  const load = useLoad(seen ? token.mintAddress : null, () => page(token.mintAddress));
  useRound(load.reload, props.round);
  return (
    <Section id="burns" title="Burned">
      <div ref={place} />
      <Loaded load={load} what="the burns">
        {(got) => {
          const seen = new Set(got.burns.map((b) => b.id));
          const burns = [...got.burns, ...(older?.burns ?? []).filter((b) => !seen.has(b.id))];
          const cursor = older ? older.cursor : got.nextCursor;
          const more = () => {
            setProblem(null);
            page(token.mintAddress, cursor ?? undefined).then(
              (next) =>
                setOlder({ burns: [...(older?.burns ?? []), ...next.burns], cursor: next.nextCursor }),
              (cause) => setProblem(problemFrom(cause)),
            );
          };
          return (
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
              {burns.length === 0 ? (
                <p>Nothing has been burned yet.</p>
              ) : (
                <ul class="plain-list burns">
                  {burns.map((burn) => (
                    <li key={burn.id}>
                      {moment(burn.timestamp)}: {brief(own, burn.amount)}{' '}
                      <Transaction signature={burn.signature} what="transaction" />
                    </li>
                  ))}
                </ul>
              )}
              {problem ? <Trouble problem={problem} retry={more} /> : null}
              {cursor && !problem ? (
                <button type="button" class="plain" onClick={more}>
                  Show older
                </button>
              ) : null}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
