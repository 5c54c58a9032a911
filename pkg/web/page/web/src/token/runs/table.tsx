import { useState } from 'preact/hooks';
import type { Schemas } from 'tokenlaunch/api';
import { count } from '../../ui/amount';
import { moment } from '../../ui/clock';
import { Loaded, Trouble } from '../../ui/parts';
import { target } from '../../ui/target';
import { type Asset, assetOf, brief, useAssets } from '../asset';
import { Details } from './details';
import type { Runs, Summary } from './runs';
import { atWork, reasonWords, statusWords } from './words';

/** The initial number of rows, and the number of further rows. */
const ROWS = 10;

/** The status of a distribution, with the reason for a skipped or failed distribution. */
export function Status(props: { run: Pick<Summary, 'status' | 'reason'> }) {
  const { status, reason } = props.run;
  const kind = status === 'settled' ? 'good' : status === 'failed' ? 'bad' : atWork(status) ? 'work' : 'none';
  const words = reason ? (reasonWords[reason.code] ?? reason.detail) : null;
  return (
    <>
      <span class={`status ${kind}`}>{statusWords[status]}</span>
      {words ? <span class="why">{words}</span> : null}
      {reason && words !== reason.detail && reason.code === 'wallet_too_low' ? (
        <span class="why">{reason.detail}</span>
      ) : null}
    </>
  );
}

function Row(props: {
  run: Summary;
  token: Schemas['Token'];
  asset: (id: string) => Asset;
  open: boolean;
  toggle: () => void;
}) {
  const { run, token, asset, open } = props;
  const own = assetOf(token.mintAddress, token);
  const reward = asset(run.rewardToken);
  const figure = (a: Asset, units: string) => (units === '0' ? '–' : brief(a, units));
  return (
    <>
      <tr>
        <th scope="row">
          <button
            type="button"
            class="plain small unfold"
            aria-expanded={open}
            aria-controls={`run-${run.id}`}
            onClick={props.toggle}
          >
            {moment(run.scheduledAt)}
          </button>
        </th>
        <td>
          <Status run={run} />
        </td>
        <td class="number wide">{figure(own, run.collected)}</td>
        <td class="number wide">{figure(own, run.burned)}</td>
        <td class="number">{figure(reward, run.holdersPaid)}</td>
        <td class="number wide">{run.paidHolders ? count(run.paidHolders) : '–'}</td>
        <td class="wide">
          {run.proof ? (
            // The proof in words, with the verifier and the files, is in the unfolded row.
            <a
              href={`#run-${run.id}`}
              onClick={(e) => {
                e.preventDefault();
                if (!open) props.toggle();
              }}
            >
              Proof
            </a>
          ) : (
            <span class="faint">–</span>
          )}
        </td>
      </tr>
      <tr id={`run-${run.id}`} class="unfolded" hidden={!open}>
        <td colSpan={7}>{open ? <Details run={run} token={token} /> : null}</td>
      </tr>
    </>
  );
}

/**
 * Returns the distributions that did something, the newest one, and the opened one. A token without
 * trades has 288 a day in which nothing was paid out.
 */
export const worthARow = (items: readonly Summary[], open: string | null): readonly Summary[] =>
  items.filter(({ id, status }, i) => i === 0 || status !== 'skipped' || id === open);

/** The table of distributions, newest first. Each row unfolds. */
export function RunTable(props: { token: Schemas['Token']; runs: Runs }) {
  const { token, runs } = props;
  const [shown, setShown] = useState(ROWS);
  const [all, setAll] = useState(false);
  const [open, setOpen] = useState<string | null>(() => /^run-(.+)$/.exec(target())?.[1] ?? null);
  // The distribution that the page's address names is among the rows, even if it is older.
  const listed = all ? runs.items : worthARow(runs.items, open);
  const hidden = runs.items.length - listed.length;
  const rows = Math.max(shown, listed.findIndex((r) => r.id === open) + 1);
  const asset = useAssets(
    runs.items.map((r) => r.rewardToken),
    token,
  );
  const next = () => {
    if (shown + ROWS > listed.length && runs.more) runs.more();
    setShown(shown + ROWS);
  };
  return (
    <Loaded load={runs.load} what="distributions">
      {() =>
        runs.items.length === 0 ? (
          <p>No distributions yet. The first one starts at the time shown above.</p>
        ) : (
          <>
            <div class="scroll">
              <table class="runs">
                <thead>
                  <tr>
                    <th scope="col">Time</th>
                    <th scope="col">Status</th>
                    <th scope="col" class="number wide">
                      Collected
                    </th>
                    <th scope="col" class="number wide">
                      Burned
                    </th>
                    <th scope="col" class="number">
                      To holders
                    </th>
                    <th scope="col" class="number wide">
                      Holders paid
                    </th>
                    <th scope="col" class="wide">
                      Proof
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {listed.slice(0, rows).map((run) => (
                    <Row
                      run={run}
                      token={token}
                      asset={asset}
                      open={open === run.id}
                      toggle={() => {
                        const next = open === run.id ? null : run.id;
                        setOpen(next);
                        // The address of one distribution, to be shared.
                        history.replaceState(null, '', next ? `#run-${next}` : '#runs');
                      }}
                      key={run.id}
                    />
                  ))}
                </tbody>
              </table>
            </div>
            {hidden > 0 || all ? (
              <label class="empties">
                <input type="checkbox" checked={all} onChange={(e) => setAll(e.currentTarget.checked)} /> Show
                those without a payout{hidden > 0 ? ` (${count(hidden)})` : ''}
              </label>
            ) : null}
            {runs.problem ? <Trouble problem={runs.problem} retry={runs.more ?? (() => {})} /> : null}
            {shown < listed.length || runs.more ? (
              <p>
                <button type="button" class="plain" onClick={next} disabled={runs.loadingMore}>
                  {runs.loadingMore ? 'Loading …' : 'Show older'}
                </button>
              </p>
            ) : null}
          </>
        )
      }
    </Loaded>
  );
}
