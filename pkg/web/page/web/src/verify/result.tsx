import type { Check } from 'tokenlaunch/proof';
import { count, decimal, short } from '../ui/amount';
import { Notice } from '../ui/parts';
import type { Outcome } from './messages';
import { questions, summary, verdicts } from './words';

function Checks(props: { checks: readonly Check[] }) {
  return (
    <ul class="checks">
      {props.checks.map((check) => (
        <li key={`${check.name} ${check.detail}`} class={verdicts[check.verdict].of}>
          <details open={check.verdict === 'FAILED' || check.verdict === 'too new'}>
            <summary>
              <span aria-hidden="true" class="mark">
                {verdicts[check.verdict].mark}
              </span>{' '}
              {questions[check.name]} <strong>{verdicts[check.verdict].text}</strong>
            </summary>
            {check.detail.split('\n').map((line) => (
              <p key={line}>{line}</p>
            ))}
          </details>
        </li>
      ))}
    </ul>
  );
}

/** The recomputed data, in numbers. */
function Numbers(props: { outcome: Outcome }) {
  const { manifest: m, files, bytes, milliseconds } = props.outcome;
  if (!m) return null;
  return (
    <>
      <p>
        Read {files} files, {count(Math.ceil(bytes / 1000))} kB, in {(milliseconds / 1000).toFixed(1)}{' '}
        seconds. Recomputed {count(m.rows.lines)} rows of {count(m.snapshot.eligible.owners)} eligible
        holders; {count(m.snapshot.leftOut.owners)}{' '}
        {m.snapshot.leftOut.owners === 1n ? 'owner is' : 'owners are'} left out, each with a reason.
      </p>
      <ul>
        {m.legs.map((leg) => {
          const money = (amount: bigint) =>
            `${decimal(amount, Number(leg.decimals))} ${leg.asset === 'SOL' ? 'SOL' : short(leg.asset)}`;
          return (
            <li key={leg.asset}>
              Shares of {money(leg.sums.share)}, plus {money(leg.sums.owed)} owed from before. Paid{' '}
              {money(leg.sums.paid)} to {count(leg.sums.paidTo)} holders; kept {money(leg.sums.carried)} for{' '}
              {count(leg.sums.carriedTo)}.
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** The outcome of a verification. */
export function Result(props: { outcome: Outcome }) {
  const { outcome } = props;
  const { kind, text } = summary(outcome);
  return (
    <>
      <Notice kind={kind}>{text}</Notice>
      {outcome.ok ? <Numbers outcome={outcome} /> : null}
      <h4>All checks</h4>
      <Checks checks={outcome.checks} />
    </>
  );
}
