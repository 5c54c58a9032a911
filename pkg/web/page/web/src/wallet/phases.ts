import type { Problem } from 'tokenlaunch/api';

/** `reviewed`: checked, but not created yet. `held`: signed, with an unknown outcome. */
export type Phase = 'empty' | 'preparing' | 'reviewed' | 'ready' | 'signing' | 'finishing' | 'held' | 'done';

export interface State<U> {
  readonly phase: Phase;
  readonly unsigned: U | null;
  /** With the wallet's signature, in base64. */
  readonly signed: string | null;
  readonly problem: Problem | null;
  /** The time of the next automatic continuation, in milliseconds since 1970. */
  readonly retryAt: number | null;
  /** The time at which the owner can try again, in milliseconds since 1970, if there is no automatic continuation. */
  readonly freeAt: number | null;
  /** The progress, in words. */
  readonly told: string;
  /** What the wallet changed in what is being sent, a phrase each. */
  readonly changes: readonly string[];
  readonly signature: string | null;
}

/**
 * The phases that may follow a phase. What is signed is never dropped without an outcome: `held` only
 * continues, and only a call with an outcome leaves `finishing`. Nothing follows `done`.
 */
export const NEXT: Readonly<Record<Phase, readonly Phase[]>> = {
  empty: ['empty', 'preparing', 'ready', 'held'],
  preparing: ['preparing', 'reviewed', 'ready', 'empty', 'held'],
  reviewed: ['reviewed', 'preparing', 'empty', 'held'],
  ready: ['ready', 'preparing', 'signing', 'empty', 'held'],
  signing: ['signing', 'finishing', 'ready', 'empty', 'held'],
  finishing: ['finishing', 'done', 'held', 'ready', 'empty'],
  held: ['held', 'finishing'],
  done: [],
};

/** The phases with a transaction, and those with a signed transaction. */
const WITH: readonly Phase[] = ['ready', 'signing', 'finishing', 'held', 'done'];
const SIGNED: readonly Phase[] = ['finishing', 'held', 'done'];

/**
 * Returns the state after a change. A late answer that would take a step that is not in the table,
 * such as a transaction that arrives after another tab has signed one, changes nothing. A problem
 * lasts until the next change.
 */
export function next<U>(state: State<U>, change: Partial<State<U>>): State<U> {
  const phase = change.phase ?? state.phase;
  if (!NEXT[state.phase].includes(phase)) return state;
  const merged = { ...state, problem: null, retryAt: null, freeAt: null, ...change, phase };
  return {
    ...merged,
    unsigned: WITH.includes(phase) ? merged.unsigned : null,
    signed: SIGNED.includes(phase) ? merged.signed : null,
  };
}
