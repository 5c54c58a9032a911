import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../api/client';
import { useLoad } from '../api/load';
import { assetOf, brief, useAssets } from '../token/asset';
import { atWork, reasonWords, statusWords } from '../token/runs/words';
import { moment } from '../ui/clock';
import { Notice, Trouble } from '../ui/parts';
import { usePoll } from '../ui/poll';

type Token = Pick<Schemas['Token'], 'mintAddress' | 'symbol' | 'decimals'>;

/** Reasons that need an operator. */
const stuck = ['frozen', 'books_do_not_balance', 'snapshot_does_not_add_up'];

/** The interval at which an active distribution is polled, in milliseconds. */
const EVERY = 60_000;

/** The outcome of the last distribution. */
export function LastRun(props: { token: Token }) {
  const { token } = props;
  const load = useLoad(`last ${token.mintAddress}`, () =>
    answer(
      api.GET('/distribution/{tokenId}/runs', {
        params: { path: { tokenId: token.mintAddress }, query: { limit: 1 } },
      }),
    ),
  );
  const run = load.data?.runs[0];
  usePoll(load.reload, run && atWork(run.status) ? EVERY : null);
  const asset = useAssets(run ? [run.rewardToken] : [], token);
  if (!load.data)
    return load.problem ? (
      <Trouble problem={load.problem} retryAt={load.retryAt} retry={load.reload} />
    ) : (
      <p class="faint">Loading the last distribution …</p>
    );
  if (!run) return <p>No distributions yet.</p>;
  const why = run.reason ? (reasonWords[run.reason.code] ?? run.reason.detail) : null;
  return (
    <>
      <p>
        Last: {statusWords[run.status].toLowerCase()}, {moment(run.scheduledAt)}
        {run.status === 'settled'
          ? `. ${brief(asset(run.rewardToken), run.holdersPaid ?? '0')} to ${run.paidHolders ?? 0} holders, ${brief(assetOf(token.mintAddress, token), run.burned ?? '0')} burned.`
          : '.'}
        {why && !stuck.includes(run.reason?.code ?? '') ? ` ${why}` : null}
      </p>
      {why && stuck.includes(run.reason?.code ?? '') ? (
        <Notice kind="warn">
          <p>{why}</p>
        </Notice>
      ) : null}
    </>
  );
}
