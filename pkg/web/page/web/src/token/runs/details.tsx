import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../../api/client';
import { useLoad } from '../../api/load';
import { moment } from '../../ui/clock';
import { useLater } from '../../ui/fetched';
import { every } from '../../ui/interval';
import { Loaded } from '../../ui/parts';
import { basisPoints, percent } from '../../ui/percent';
import { useRound } from '../../ui/poll';
import { type Asset, amount, useAssets } from '../asset';
import { safeLink } from '../link';
import { Out, Pairs, Transaction } from '../parts';
import type { Summary } from './runs';
import { Statements } from './statements';
import { stepWords } from './words';

type Run = Schemas['Run'];

/** Describes the result of a step. */
function outcome(
  step: Schemas['RunStep'],
  run: Run,
  own: Asset,
  reward: Asset,
  asset: (id: string) => Asset,
): string {
  const paid = run.legs[0];
  switch (step.step) {
    case 'collect':
    case 'burn':
      return step.amount ? amount(own, step.amount) : '';
    case 'snapshot':
      return run.snapshot
        ? `${run.snapshot.owners} owners, ${run.snapshot.eligible} eligible, at slot ${run.snapshot.chainSlot}`
        : '';
    case 'fuel':
      return `${amount(own, step.amount ?? '0')} for ${amount(asset('SOL'), step.proceeds ?? '0')}`;
    case 'exchange':
      return `${amount(own, step.amount ?? '0')} for ${amount(reward, step.proceeds ?? '0')}`;
    case 'pay':
      return paid ? `${amount(reward, paid.paid)} to ${paid.paidHolders} holders` : '';
    default:
      return step.amount ? amount(reward, step.amount) : '';
  }
}

function Steps(props: { run: Run; own: Asset; reward: Asset; asset: (id: string) => Asset }) {
  const { run, own, reward, asset } = props;
  const creator = run.legs[0]?.creatorPaid;
  // The creator is paid before the holders; the API has the creator's payment in a separate field.
  const steps = run.steps.flatMap((s) => (s.step === 'pay' && creator ? [creator, s] : [s]));
  return (
    <ol class="steps">
      {steps.map((step) => (
        <li key={step.step}>
          <strong>{stepWords[step.step]}</strong>
          {step.done ? '' : ' (in progress)'} {outcome(step, run, own, reward, asset)}{' '}
          {step.signature ? <Transaction signature={step.signature} what="transaction" /> : null}
          {step.why ? <span class="why">{step.why}</span> : null}
        </li>
      ))}
    </ol>
  );
}

function Legs(props: { run: Run; asset: (id: string) => Asset }) {
  return (
    <ul>
      {props.run.legs.map((leg) => {
        const a = props.asset(leg.asset);
        return (
          <li key={leg.asset}>
            {amount(a, leg.share)} shared among holders. {amount(a, leg.paid)} sent to {leg.paidHolders} of
            them.
            {leg.carried === '0'
              ? ''
              : ` ${amount(a, leg.carried)} kept for ${leg.carriedToHolders} of them: too little to send so far.`}
            {leg.charged === '0' ? '' : ` ${amount(a, leg.charged)} paid for accounts opened for holders.`}
          </li>
        );
      })}
    </ul>
  );
}

function Full(props: { run: Run; token: Schemas['Token'] }) {
  const { run, token } = props;
  const asset = useAssets([run.rewardToken, ...run.legs.map((l) => l.asset)], token);
  const own = asset(token.mintAddress);
  const reward = asset(run.rewardToken);
  const s = run.settings;
  const proof = safeLink(run.proof?.url ?? null);
  return (
    <>
      {run.reason ? <p>{run.reason.detail}</p> : null}
      <h3>Step by step</h3>
      {run.steps.length === 0 ? <p>No steps started.</p> : <Steps {...{ run, own, reward, asset }} />}
      {run.legs.length > 0 ? <Legs run={run} asset={asset} /> : null}
      <Statements statements={run.statements} asset={asset} />
      <Pairs
        rows={[
          ['Started', moment(run.openedAt)],
          ['Ended', run.endedAt ? moment(run.endedAt) : 'In progress'],
          ['Network fees', amount(asset('SOL'), run.feesLamports)],
          ['Transactions', String(run.transactions)],
          [
            'Settings',
            `${every(s.distributionInterval)}, ${percent(basisPoints(s.burnPercent))} burned, ` +
              `${percent(basisPoints(s.developerFeePercent))} to the creator`,
          ],
        ]}
      />
      {run.anchor ? (
        <div class="anchor">
          <p>
            The proof has every holder’s row and every transaction, in files that anyone can read.
            {proof ? (
              <>
                {' '}
                <Out href={proof}>The list of its files</Out> is for programs.
              </>
            ) : null}{' '}
            {run.anchor.signature ? (
              <>
                Its fingerprint is on chain, in the memo of{' '}
                <Transaction signature={run.anchor.signature} what="this transaction" />.
              </>
            ) : (
              'Its fingerprint is being written to the chain.'
            )}
          </p>
          <p class="faint mono">{run.anchor.merkleRoot}</p>
          <Verify run={run} />
        </div>
      ) : null}
    </>
  );
}

/** Verification in the browser. The code is fetched with the first unfolded run. */
function Verify(props: { run: Run }) {
  const later = useLater(true, () => import('../../verify/panel'));
  if (later === 'failed') return <p>The verifier failed to load. Reload the page.</p>;
  return later ? (
    <later.VerifyPanel mint={props.run.mintAddress} run={props.run} />
  ) : (
    <p class="faint">Loading the verifier …</p>
  );
}

/** The details of a distribution, fetched when the row is unfolded. */
export function Details(props: { run: Summary; token: Schemas['Token'] }) {
  const { run, token } = props;
  const load = useLoad(`run ${run.id}`, () =>
    answer(
      api.GET('/distribution/{tokenId}/runs/{runId}', {
        params: { path: { tokenId: token.mintAddress, runId: run.id } },
      }),
    ),
  );
  // An ended distribution does not change; an active distribution changes after each step.
  useRound(load.reload, run.status);
  return (
    <div class="details">
      <Loaded load={load} what="this distribution">
        {(data) => <Full run={data as Run} token={token} />}
      </Loaded>
    </div>
  );
}
