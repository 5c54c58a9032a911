import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../api/client';
import { useLoad } from '../api/load';
import '../styles/token.css';
import { assetOf, brief } from '../token/asset';
import { HistoryPanel } from '../token/history/panel';
import { Pairs } from '../token/parts';
import { useRuns } from '../token/runs/runs';
import { count, sol } from '../ui/amount';
import { moment } from '../ui/clock';
import { Loaded, Trouble } from '../ui/parts';
import { basisPoints } from '../ui/percent';

type Token = Schemas['Token'];
type Run = Schemas['RunSummary'];

/** The number of payouts whose cost is read: a call for each. */
const COSTED = 5;

/** The entries of a statement in SOL that are the cost of a payout. */
const COSTS: ReadonlySet<string> = new Set(['fees', 'rent']);

/** Returns the cost of distributions in lamports, by their statements. */
export function costOf(runs: readonly Schemas['Run'][]): bigint {
  return runs
    .flatMap((r) => r.statements)
    .filter((s) => s.asset === 'SOL')
    .flatMap((s) => s.out)
    .reduce((sum, e) => sum + (COSTS.has(e.name) ? BigInt(e.amount) : 0n), 0n);
}

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
  if (list.length < 2) return null;
  return (
    <div class="scroll">
      <table>
        <caption>By day</caption>
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

/** The cost of the newest payouts. */
function Cost(props: { token: Token; runs: readonly Run[] }) {
  const { token } = props;
  const settled = props.runs.filter((r) => r.status === 'settled').slice(0, COSTED);
  const load = useLoad(settled.length > 0 ? `cost ${settled.map((r) => r.id).join()}` : null, () =>
    Promise.all(
      settled.map(({ id }) =>
        answer(
          api.GET('/distribution/{tokenId}/runs/{runId}', {
            params: { path: { tokenId: token.mintAddress, runId: id } },
          }),
        ),
      ),
    ),
  );
  if (settled.length === 0) return null;
  return (
    <Loaded load={load} what="the cost of payouts">
      {(runs) => (
        <p>
          {runs.length === 1 ? 'The last payout' : `The last ${runs.length} payouts together`} cost{' '}
          {sol(costOf(runs))} in fees and rent, which the distribution wallet paid.
        </p>
      )}
    </Loaded>
  );
}

/** What waits, what payouts cost, and holders and volume over time. */
export function Overview(props: { token: Token }) {
  const { token } = props;
  const runs = useRuns(token.mintAddress);
  const volume = taxedVolume(runs.items, token.transferFeePercent);
  return (
    <>
      <Waiting token={token} />
      {runs.load.problem ? (
        <Trouble problem={runs.load.problem} retryAt={runs.load.retryAt} retry={runs.load.reload} />
      ) : null}
      <Cost token={token} runs={runs.items} />
      {volume === null || runs.items.length === 0 ? null : (
        <p>
          The tax of {runs.more ? `the last ${runs.items.length} payouts` : 'all payouts so far'} came from
          transfers of about {brief(assetOf(token.mintAddress, token), volume)}.
        </p>
      )}
      <HistoryPanel token={token} runs={runs} />
      <ByDay token={token} runs={runs.items} />
    </>
  );
}
