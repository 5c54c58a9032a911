import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Problem, problemFrom } from 'tokenlaunch/api';
import { span, useNow } from './clock';
import { Notice, said } from './parts';

/** A call that a button starts. */
export interface Call {
  readonly busy: boolean;
  readonly problem: Problem | null;
  /** The time of the next sensible attempt, in milliseconds since 1970; null for now. */
  readonly waitUntil: number | null;
  readonly run: (steps: () => Promise<void>) => Promise<void>;
}

/** Runs calls, one at a time, and stores the last problem. */
export function useCall(): Call {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [waitUntil, setWait] = useState<number | null>(null);
  return {
    busy,
    problem,
    waitUntil,
    run: async (steps) => {
      if (busy) return;
      setBusy(true);
      setProblem(null);
      try {
        await steps();
      } catch (cause) {
        const found = problemFrom(cause);
        setProblem(found);
        setWait(found.retryAfter === null ? null : Date.now() + found.retryAfter * 1000);
      }
      setBusy(false);
    },
  };
}

/** The problem of a call, and the time of the next attempt. Nothing is retried automatically. */
export function CallProblem(props: { call: Call; lost: string; children?: ComponentChildren }) {
  const now = useNow();
  const { problem, waitUntil } = props.call;
  if (!problem) return null;
  const left = waitUntil === null ? 0 : waitUntil - now;
  return (
    <Notice kind="bad">
      <p>{said(problem)}</p>
      {left > 0 ? <p>Try again in {span(left)}.</p> : null}
      <p>{props.lost}</p>
      {props.children}
      {problem.requestId ? <p class="faint">Request {problem.requestId}</p> : null}
    </Notice>
  );
}
