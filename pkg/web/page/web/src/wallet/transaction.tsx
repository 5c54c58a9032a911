import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { transactionLink } from '../config';
import '../styles/wallet.css';
import { sol } from '../ui/amount';
import { span, useNow } from '../ui/clock';
import { Notice, Progress, Trouble } from '../ui/parts';
import { serviceNow } from './clock';
import { type Done, type Plan, renewable, useFlow } from './flow';
import { Funds } from './funds';
import { connected } from './session';
import type { Unsigned } from './unsigned';
import { technical } from './words';

const parts: Readonly<Record<string, string>> = {
  networkFeeLamports: 'Network fees',
  rentLamports: 'Rent for new accounts',
  protocolFeeLamports: 'Program fee',
  distributionWalletFundingLamports: 'Network fees of the distribution wallet',
  depositLamports: 'Deposit',
};

interface Props<U extends Unsigned, R extends Done> extends Plan<U, R> {
  /** The title of the action, such as "Launch Paper Crane". */
  readonly title: string;
  /** The label of the button that creates the transaction. */
  readonly label: string;
  /** The action after a limit, such as "You can prepare another launch". */
  readonly again?: string;
  /** The reason why the transaction cannot be created now, such as an incomplete form. */
  readonly blocked?: ComponentChildren;
  /** The label of the button that drops the transaction for a change; without a label there is no button. */
  readonly back?: string;
  /** The purpose of the deposit, in words. */
  readonly deposit?: string;
  /** More about the transaction, to be read before signing. */
  readonly about?: (unsigned: U) => ComponentChildren;
  /** Shown after the end. */
  readonly after?: ComponentChildren;
}

/**
 * The only way in which the page requests a signature. Shows the cost, the effect, the simulated
 * result and the remaining time of the transaction, and then the wallet and the outcome.
 */
export function Transaction<U extends Unsigned, R extends Done = Done>(props: Props<U, R>) {
  const flow = useFlow<U, R>(props);
  const now = useNow();
  const { unsigned, phase } = flow;
  const left = unsigned ? Date.parse(unsigned.expiresAt) - serviceNow(now) : 0;
  const renews = renewable(props, unsigned);
  const expired = phase === 'ready' && left <= 0 && !renews;
  const head = useRef<HTMLHeadingElement>(null);
  // New content is read out, and within reach of the keyboard.
  const before = useRef(phase);
  useEffect(() => {
    if (before.current !== phase && ['reviewed', 'ready', 'done'].includes(phase)) head.current?.focus();
    before.current = phase;
  }, [phase]);

  const again = (
    <button type="button" onClick={flow.prepare} disabled={!!props.blocked}>
      {flow.problem || expired ? 'Try again' : props.label}
    </button>
  );
  const back = props.back ? (
    <button type="button" class="plain" onClick={flow.drop}>
      {props.back}
    </button>
  ) : null;
  return (
    <section class="card transaction" aria-label={props.title}>
      <h3 ref={head} tabIndex={-1}>
        {props.title}
      </h3>
      {phase === 'held' ? (
        <Notice kind="warn">
          <p>
            You have signed this, and the outcome is not known yet. Continuing is safe: it cannot happen
            twice.
          </p>
          {unsigned && left > 0 ? <p>It can still go through for {span(left)}.</p> : null}
        </Notice>
      ) : null}
      {flow.problem ? (
        <Trouble problem={flow.problem} retryAt={flow.retryAt} freeAt={flow.freeAt} again={props.again} />
      ) : null}
      {phase === 'empty' ? (
        <>
          {props.blocked ? <p class="faint">{props.blocked}</p> : null}
          {again}
        </>
      ) : null}
      {phase === 'preparing' ? <Preparing doing={flow.told} /> : null}
      {phase === 'reviewed' && flow.review ? (
        <>
          <Cost cost={flow.review.cost} deposit={props.deposit} title="What it would cost you now" />
          <Steps explanation={flow.review.explanation} />
          <p>
            Everything is valid, and nothing has been prepared yet. If you continue, the transaction is
            prepared, and you see its exact cost and steps again before your wallet asks you to sign.
          </p>
          <p class="buttons">
            <button type="button" onClick={flow.create}>
              Continue to sign
            </button>
            {back}
          </p>
        </>
      ) : null}
      {unsigned && (phase === 'ready' || phase === 'signing') ? (
        <>
          {props.about?.(unsigned)}
          <Cost cost={unsigned.cost} deposit={props.deposit} />
          <Steps explanation={unsigned.explanation} />
          {expired ? (
            <Notice kind="warn">
              <p>The time to sign is over, and this can no longer go through. Try again.</p>
            </Notice>
          ) : renews ? (
            <p class="left faint">
              {left > 0 ? `Time to sign: ${span(left)}. ` : ''}After that, you sign a fresh copy of the same
              transaction, for 5 minutes in all.
            </p>
          ) : (
            <Left milliseconds={left} />
          )}
          <Funds unsigned={unsigned} wallet={props.session.wallet} key={unsigned.transaction}>
            {(ready) =>
              phase === 'signing' ? (
                <>
                  <Progress label={`Continue in ${connected.value?.wallet.name ?? 'your wallet'} to sign.`} />
                  <p>
                    <button type="button" class="small plain" onClick={flow.sign}>
                      No prompt? Ask again
                    </button>
                  </p>
                </>
              ) : (
                <p class="buttons">
                  {expired ? (
                    again
                  ) : (
                    <button type="button" onClick={flow.sign} disabled={!ready}>
                      Sign and send
                    </button>
                  )}
                  {back}
                </p>
              )
            }
          </Funds>
        </>
      ) : null}
      {phase === 'finishing' ? (
        <div aria-live="polite">
          <Progress label={flow.told} />
        </div>
      ) : null}
      {flow.changes.length > 0 && ['finishing', 'held', 'done'].includes(phase) ? (
        <p class="faint">Your wallet changed this before signing: {flow.changes.join('; ')}.</p>
      ) : null}
      {phase === 'held' ? (
        <button type="button" onClick={flow.goOn}>
          Continue
        </button>
      ) : null}
      {phase === 'done' && flow.signature ? (
        <>
          <Notice kind="good">
            <p>Done. The network has confirmed it.</p>
            <a href={transactionLink(flow.signature)} rel="noreferrer" target="_blank">
              View transaction
            </a>
          </Notice>
          {props.after}
        </>
      ) : null}
    </section>
  );
}

/** Milliseconds after which the service counts as slow. */
const SLOW = 4_000;

/** Shows that the service is working, perhaps slowly. */
function Preparing(props: { doing: string }) {
  const now = useNow();
  const [since] = useState(now);
  return (
    <div aria-live="polite">
      <Progress
        label={
          now - since < SLOW
            ? `${props.doing} …`
            : `This is taking longer than usual. Still ${props.doing.toLowerCase()} …`
        }
      />
    </div>
  );
}

/** The exact lamports that leave the wallet. */
function Cost(props: { cost: Unsigned['cost']; deposit?: string | undefined; title?: string }) {
  const rows = Object.entries(props.cost).filter(
    ([part, value]) => part !== 'totalLamports' && value !== '0',
  );
  return (
    <table class="cost">
      <caption>{props.title ?? 'What it costs you'}</caption>
      <tbody>
        {rows.map(([part, value]) => (
          <tr key={part}>
            <th scope="row">{(part === 'depositLamports' && props.deposit) || (parts[part] ?? part)}</th>
            <td class="number">{sol(value)}</td>
          </tr>
        ))}
        <tr class="total">
          <th scope="row">Total</th>
          <td class="number">{sol(props.cost.totalLamports)}</td>
        </tr>
      </tbody>
    </table>
  );
}

function List(props: { sentences: readonly string[] }) {
  return (
    <ol class="steps">
      {props.sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ol>
  );
}

function Steps(props: { explanation: readonly string[] }) {
  const plumbing = props.explanation.filter(technical);
  return (
    <>
      <details open>
        <summary>What it does, step by step</summary>
        <List sentences={props.explanation.filter((sentence) => !technical(sentence))} />
      </details>
      {plumbing.length > 0 ? (
        <details>
          <summary>
            {plumbing.length} technical {plumbing.length === 1 ? 'step' : 'steps'}
          </summary>
          <List sentences={plumbing} />
        </details>
      ) : null}
    </>
  );
}

/** The remaining time, read out once when little time is left. */
function Left(props: { milliseconds: number }) {
  return (
    <>
      <p class="left">
        Time to sign:{' '}
        <span class={props.milliseconds < 60_000 ? 'short' : ''}>{span(props.milliseconds)}</span>
      </p>
      <p class="hidden" aria-live="polite">
        {props.milliseconds < 30_000 ? 'Less than 30 seconds left to sign.' : ''}
      </p>
    </>
  );
}
