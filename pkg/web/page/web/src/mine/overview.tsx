import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../api/client';
import { useLoad } from '../api/load';
import '../styles/token.css';
import { assetOf, brief } from '../token/asset';
import { HistoryPanel } from '../token/history/panel';
import { pixels } from '../token/history/series';
import { Pairs } from '../token/parts';
import { useRuns } from '../token/runs/runs';
import { count, sol } from '../ui/amount';
import { moment } from '../ui/clock';
import { Loaded, Trouble } from '../ui/parts';
import { basisPoints } from '../ui/percent';
import { type Amount, CurveVolume, Volume } from './volume';

type Token = Schemas['Token'];
type Run = Schemas['RunSummary'];

/** Returns the cost of distributions in lamports. */
export const costOf = (runs: readonly Run[]): bigint =>
  runs.reduce((sum, r) => sum + BigInt(r.feesLamports) + BigInt(r.rentLamports), 0n);

/**
 * Returns the volume of taxed transfers that the collected tax follows from, in base units; null
 * without a tax. A transfer's tax is rounded up, so the volume is at most this.
 */
export function taxedVolume(runs: readonly Run[], taxPercent: number): bigint | null {
  const points = basisPoints(taxPercent);
  if (points === 0) return null;
  return (runs.reduce((sum, r) => sum + BigInt(r.collected), 0n) * 10_000n) / BigInt(points);
}

/** A day of a token, in UTC, by its payouts. */
export interface Day {
  /** Such as 2026-03-02. */
  readonly day: string;
  readonly runs: readonly Run[];
  /** The maximum number of holders that a payout of the day paid. */
  readonly holders: number;
}

/** The number of days in the table. */
const DAYS = 14;

/** Returns the days of settled distributions, newest first. */
export function days(runs: readonly Run[]): readonly Day[] {
  const byDay = new Map<string, Run[]>();
  for (const run of runs) {
    if (run.status !== 'settled' || run.kind !== 'distribution') continue;
    const day = run.scheduledAt.slice(0, 10);
    byDay.set(day, [...(byDay.get(day) ?? []), run]);
  }
  return [...byDay]
    .map(([day, of]) => ({ day, runs: of, holders: Math.max(...of.map((r) => r.paidHolders)) }))
    .sort((a, b) => b.day.localeCompare(a.day))
    .slice(0, DAYS);
}

/** Volume and holders by day. The oldest day may lack payouts that are not loaded. */
function ByDay(props: { token: Token; runs: readonly Run[] }) {
  const { token } = props;
  const own = assetOf(token.mintAddress, token);
  const list = days(props.runs);
  const volumes = list.flatMap(({ day, runs }): Amount[] => {
    const volume = taxedVolume(runs, token.transferFeePercent);
    const words = volume === null ? '' : `about ${brief(own, volume)}`;
    return volume === null ? [] : [{ day, value: pixels(volume, own.decimals ?? 0), words }];
  });
  if (list.length < 2) return null;
  return (
    <>
      <Volume
        caption={`${own.name} moved in taxed transfers, by day (UTC), about`}
        amounts={volumes}
        none="nothing paid out"
        today={list[0]?.day ?? ''}
      />
      <details>
        <summary>Show the days as a table</summary>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Day (UTC)</th>
                <th scope="col">Taxed volume, about</th>
                <th scope="col">Holders paid</th>
                <th scope="col">Payouts</th>
              </tr>
            </thead>
            <tbody>
              {list.map((one) => {
                const volume = taxedVolume(one.runs, token.transferFeePercent);
                return (
                  <tr key={one.day}>
                    <th scope="row">{one.day}</th>
                    <td class="number">{volume === null ? '–' : brief(own, volume)}</td>
                    <td class="number">{count(one.holders)}</td>
                    <td class="number">{count(one.runs.length)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}

/** The tax that waits for the next payout. */
function Waiting(props: { token: Token }) {
  const { token } = props;
  const load = useLoad(`preview ${token.mintAddress}`, () =>
    answer(api.GET('/distribution/{tokenId}/preview', { params: { path: { tokenId: token.mintAddress } } })),
  );
  const own = assetOf(token.mintAddress, token);
  return (
    <Loaded load={load} what="the tax that waits">
      {(next) => (
        <Pairs
          rows={[
            ['Tax waiting', brief(own, next.spendable)],
            ['Owed to holders and you, in the token', brief(own, next.owed)],
            ['Next payout', next.scheduledAt ? moment(next.scheduledAt) : 'Paused'],
          ]}
        />
      )}
    </Loaded>
  );
}

/** What waits, what payouts cost, and holders and volume over time. */
export function Overview(props: { token: Token }) {
  const { token } = props;
  const runs = useRuns(token.mintAddress);
  const volume = taxedVolume(runs.items, token.transferFeePercent);
  const settled = runs.items.filter((r) => r.status === 'settled');
  return (
    <>
      <Waiting token={token} />
      {runs.load.problem ? (
        <Trouble problem={runs.load.problem} retryAt={runs.load.retryAt} retry={runs.load.reload} />
      ) : null}
      {settled.length === 0 ? null : (
        <p>
          {settled.length === 1
            ? 'The last payout'
            : `${runs.more ? 'The last' : 'All'} ${count(settled.length)} payouts together`}{' '}
          cost {sol(costOf(settled))} in fees and rent, which the distribution wallet paid.
        </p>
      )}
      {volume === null || runs.items.length === 0 ? null : (
        <p>
          The tax of {runs.more ? `the last ${runs.items.length} payouts` : 'all payouts so far'} came from
          transfers of about {brief(assetOf(token.mintAddress, token), volume)}.
        </p>
      )}
      <HistoryPanel token={token} runs={runs} />
      <CurveVolume token={token} />
      <ByDay token={token} runs={runs.items} />
    </>
  );
}
