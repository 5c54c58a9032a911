import { useEffect, useRef, useState } from 'preact/hooks';
import type { Schemas } from 'tokenlaunch/api';
import type { Progress as Done } from 'tokenlaunch/proof';
import { config } from '../config';
import '../styles/verify.css';
import { count } from '../ui/amount';
import { Notice, Progress } from '../ui/parts';
import { HolderForm } from './holder';
import type { Job, Outcome } from './messages';
import { Result } from './result';
import { Session } from './session';
import { command, counted, MANY, part, stepWords } from './words';

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly progress: Done }
  | { readonly kind: 'stopped'; readonly why: string }
  | { readonly kind: 'done'; readonly outcome: Outcome };

/** Verifies the proof of a distribution in this browser, and shows the outcome. */
export function VerifyPanel(props: { mint: string; run: Schemas['Run'] }) {
  const { mint, run } = props;
  const [state, set] = useState<State>({ kind: 'idle' });
  const session = useRef<Session | null>(null);
  const result = useRef<HTMLElement>(null);
  const end = () => {
    session.current?.end();
    session.current = null;
  };
  // Stop the verification if the panel is removed or shows another run.
  useEffect(() => {
    set({ kind: 'idle' });
    return end;
  }, [run.id]);
  useEffect(() => {
    if (state.kind === 'done') result.current?.focus();
  }, [state.kind]);
  const anchor = run.anchor?.transaction;
  if (!anchor) return <p class="faint">This distribution has no proof to verify yet.</p>;
  const markets = config.markets ?? [];
  const job: Job = {
    link: anchor.url,
    anchor: anchor.cid,
    proofUrl: config.proofUrl,
    rpcUrl: config.rpcUrl,
    asked: { mint, runId: run.id },
    markets,
  };
  const start = async () => {
    end();
    const mine = new Session();
    session.current = mine;
    set({ kind: 'running', progress: { step: 'files', done: 0, total: 1 } });
    const current = (next: State) => session.current === mine && set(next);
    try {
      const outcome = await mine.verify(job, (progress) => current({ kind: 'running', progress }));
      current({ kind: 'done', outcome });
    } catch (cause) {
      current({ kind: 'stopped', why: cause instanceof Error ? cause.message : String(cause) });
    }
  };
  const cancel = () => {
    end();
    set({ kind: 'idle' });
  };
  return (
    <section class="verify" aria-labelledby={`verify-${run.id}`}>
      <h3 id={`verify-${run.id}`}>Verify in your browser</h3>
      <p>
        Your browser downloads the proof, recomputes every share, and checks all of it against the chain. It
        trusts nothing that can be computed or looked up, and lists what is left to trust.
      </p>
      {markets.length > 0 ? (
        <p>
          Tokens sold directly to {markets.join(', ')} count as sold on a market: this page is configured to
          accept that key.
        </p>
      ) : null}
      <p class="hidden" aria-live="polite">
        {state.kind === 'running' ? stepWords(state.progress) : ''}
      </p>
      {state.kind === 'running' ? (
        <>
          <Progress
            label={`${stepWords(state.progress)} ${counted(state.progress)}`}
            value={part(state.progress, config.rpcUrl !== '')}
          />
          <button type="button" class="plain" onClick={cancel}>
            Cancel
          </button>
        </>
      ) : (
        <button type="button" onClick={start}>
          {state.kind === 'idle' ? 'Verify this distribution' : 'Verify again'}
        </button>
      )}
      {state.kind === 'stopped' ? (
        <Notice kind="warn">
          <p>Could not verify: {state.why}.</p>
          <p>This says nothing about the proof itself. Try again later.</p>
        </Notice>
      ) : null}
      {state.kind === 'done' ? (
        <section ref={result} tabIndex={-1} aria-label="Result of the verification">
          <Result outcome={state.outcome} />
          {state.outcome.ok && session.current ? <HolderForm session={session.current} /> : null}
        </section>
      ) : null}
      <details open={state.kind === 'done' && !state.outcome.complete}>
        <summary>Verify without this page</summary>
        <p>
          This page follows up to {count(MANY)} transactions on the chain. The command line makes the same
          checks with a second, separate implementation, and follows as many as it takes:
        </p>
        <pre>
          <code>{command(config.rpcUrl, markets, anchor.url)}</code>
        </pre>
      </details>
    </section>
  );
}
