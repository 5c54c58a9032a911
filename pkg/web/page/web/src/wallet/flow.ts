import { base64 } from '@scure/base';
import { useEffect, useReducer, useRef } from 'preact/hooks';
import { Problem, problemFrom, type Schemas } from 'tokenlaunch/api';
import { broadcast } from 'tokenlaunch/network';
import { type Asked, checkSigned, renewed } from 'tokenlaunch/sign';
import { serviceNow } from './clock';
import { node } from './node';
import { type Kind, remember, remembered, settle } from './pending';
import { next as after, type State } from './phases';
import type { Session } from './session';
import { type Review, toSign, type Unsigned } from './unsigned';

/** The result of a successful transaction. */
export interface Done {
  readonly signature: string;
}

/** The plan of a transaction: creation, signing and sending. */
export interface Plan<U extends Unsigned, R extends Done> {
  readonly kind: Kind;
  /** The subject, such as the address of a mint. A subject has at most one transaction in progress. */
  readonly of: string;
  readonly session: Session;
  /**
   * Checks the request without creating a transaction. A plan has a review if creations are
   * limited: the transaction is then created when the owner continues to sign, and not for each
   * look.
   */
  readonly review?: () => Promise<Review>;
  /** Requests the transaction from the API. The idempotency key makes a retry safe. */
  readonly prepare: (idempotencyKey: string) => Promise<U>;
  /** The inputs of the transaction. An unsigned transaction with other inputs is not reused. */
  readonly stamp?: string;
  /** An existing transaction. */
  readonly first?: U | null;
  /** Returns the request, and the part of the response that the owner was shown. No other transaction is signed. */
  readonly asked: (shown: U) => Asked;
  /** Removes the variable parts of an explanation's sentence. The page checks the variable parts before signing. */
  readonly essence?: (sentence: string) => string;
  /** Requests the same transaction with a newer blockhash, if the service supports a renewal. */
  readonly renew?: (unsigned: U) => Promise<Schemas['Refresh']>;
  /**
   * Completes the transaction. Without finish, the page sends the transaction to the network and
   * watches the transaction. finish may be repeated (`again`).
   */
  readonly finish?: (unsigned: U, signed: string, tell: (text: string) => void, again: boolean) => Promise<R>;
  /** Called with whether the inputs of the transaction must not change. */
  readonly onLock?: (locked: boolean) => void;
  /** Called after the landing. The callback must store data that must survive a reload. */
  readonly onDone: (done: R, unsigned: U) => void;
}

export interface Flow<U> extends State<U> {
  /** The result of the check, in phase `reviewed`. */
  readonly review: Review | null;
  /** Starts with the check if the plan has one, otherwise with the transaction. */
  readonly prepare: () => void;
  /** Requests the reviewed transaction. */
  readonly create: () => void;
  readonly sign: () => void;
  /** Drops an unsigned transaction, so that another transaction can be created. */
  readonly drop: () => void;
  /** Continues with a signed transaction. */
  readonly goOn: () => void;
}

/** Returns whether a problem proves that the transaction cannot succeed. */
function final(problem: Problem): boolean {
  if (problem.code === 'chain_refused' || problem.code === 'lapsed') return true;
  return (
    problem.retryAfter === null && problem.status >= 400 && problem.status < 500 && problem.status !== 401
  );
}

/** Milliseconds that a wallet and its owner need to sign. With less time left, a new transaction is requested. */
const TO_SIGN = 15_000;

/**
 * The maximum wait for a limit after which a transaction is created automatically, because the
 * owner is still present.
 */
const LONGEST_WAIT = 60_000;

/** Returns whether a transaction can be requested again after its expiry. */
export const renewable = <U extends Unsigned, R extends Done>(
  plan: Plan<U, R>,
  unsigned: U | null,
): boolean => plan.renew !== undefined && unsigned?.lastValidBlockHeight !== undefined;

/** Describes an error from a wallet. Most often the owner declined. */
function refusal(cause: unknown): Problem {
  const said = cause instanceof Error ? cause.message : String(cause);
  return /reject|denied|declin|cancel/i.test(said)
    ? new Problem('rejected', 'You did not sign. Nothing was sent or paid.')
    : new Problem('wallet', said);
}

/** Takes a transaction from its creation to its end, across reloads and lost responses. */
export function useFlow<U extends Unsigned, R extends Done>(plan: Plan<U, R>): Flow<U> {
  const [state, set] = useReducer<State<U>, Partial<State<U>>, Plan<U, R>>(after, plan, begin);
  const now = useRef(plan);
  now.current = plan;
  const timer = useRef(0);
  const key = useRef('');
  const tries = useRef(state.phase === 'held' ? 1 : 0);
  const over = useRef(false);
  const asking = useRef(false);
  const review = useRef<Review | null>(null);
  const signing = useRef(0);
  const finishing = useRef(false);
  useEffect(
    () => () => {
      over.current = true;
      clearTimeout(timer.current);
    },
    [],
  );

  const locked = state.phase !== 'empty';
  useEffect(() => now.current.onLock?.(locked), [locked]);

  const change = (next: Partial<State<U>>) => {
    if (!over.current) set(next);
  };
  const failed = (problem: Problem, next: Partial<State<U>>, again: () => void) => {
    const wait = problem.retryAfter === null ? null : problem.retryAfter * 1000;
    clearTimeout(timer.current);
    if (wait !== null && !over.current) timer.current = window.setTimeout(again, wait);
    change({ ...next, problem, retryAt: wait === null ? null : Date.now() + wait });
  };

  /** If another tab has already signed a transaction, do not sign a second transaction. */
  const elsewhere = (): boolean => {
    const { kind, of, session } = now.current;
    const kept = remembered(kind, of, session.wallet);
    if (!kept?.signed) return false;
    tries.current = 1;
    change({ phase: 'held', unsigned: kept.unsigned as U, signed: kept.signed });
    return true;
  };

  /**
   * Handles a problem of a call whose result is for reading. After a long wait the owner must
   * retry, because a transaction would expire.
   */
  const refused = (problem: Problem, phase: State<U>['phase'], again: () => void) => {
    const wait = (problem.retryAfter ?? 0) * 1000;
    if (problem.status === 429 && wait > LONGEST_WAIT) change({ phase, problem, freeAt: Date.now() + wait });
    else failed(problem, { phase }, again);
  };

  const look = async (): Promise<void> => {
    clearTimeout(timer.current);
    if (asking.current || elsewhere()) return;
    const { kind, of, session, stamp } = now.current;
    // A transaction with the same inputs is shown again.
    const kept = remembered(kind, of, session.wallet);
    if (kept && kept.stamp === stamp) return change({ phase: 'ready', unsigned: kept.unsigned as U });
    asking.current = true;
    change({ phase: 'preparing', told: 'Checking', unsigned: null, signed: null });
    try {
      review.current = (await now.current.review?.()) ?? null;
      asking.current = false;
      if (!elsewhere()) change({ phase: 'reviewed' });
    } catch (cause) {
      asking.current = false;
      refused(problemFrom(cause), 'empty', () => void look());
    }
  };

  const ask = async (): Promise<U | null> => {
    clearTimeout(timer.current);
    if (asking.current || elsewhere()) return null;
    asking.current = true;
    const { kind, of, session, stamp } = now.current;
    change({ phase: 'preparing', told: 'Preparing the transaction', unsigned: null, signed: null });
    try {
      const unsigned = await now.current.prepare(key.current);
      asking.current = false;
      if (elsewhere()) return null;
      remember({ kind, of, wallet: session.wallet, unsigned, signed: null, stamp });
      tries.current = 0;
      change({ phase: 'ready', unsigned });
      return unsigned;
    } catch (cause) {
      asking.current = false;
      const problem = problemFrom(cause);
      // A transient problem does not change the review; after other problems an edit may be necessary.
      const phase = review.current && problem.retryAfter !== null ? 'reviewed' : 'empty';
      refused(problem, phase, () => void ask());
      return null;
    }
  };

  const finish = async (unsigned: U, signed: string) => {
    clearTimeout(timer.current);
    if (finishing.current) return;
    finishing.current = true;
    const { kind, of, session, onDone } = now.current;
    change({ phase: 'finishing', unsigned, signed, told: 'Sending it …' });
    const tell = (told: string) => change({ told });
    try {
      const again = tries.current++ > 0;
      const done = now.current.finish
        ? await now.current.finish(unsigned, signed, tell, again)
        : ({
            signature: await broadcast(node, base64.decode(signed), unsigned, {
              tell,
              again,
              now: serviceNow,
            }),
          } as R);
      onDone(done, unsigned);
      settle(kind, of, session.wallet);
      change({ phase: 'done', signature: done.signature });
      finishing.current = false;
    } catch (cause) {
      finishing.current = false;
      const problem = problemFrom(cause);
      if (problem.refresh) takeUp(unsigned, problem.refresh);
      else if (final(problem)) {
        settle(kind, of, session.wallet);
        failed(problem, { phase: 'empty', unsigned: null, signed: null }, () => {});
      } else failed(problem, { phase: 'held' }, () => void finish(unsigned, signed));
    }
  };

  /** The signed transaction can no longer land; there is a new transaction to sign. */
  const takeUp = (unsigned: U, fresh: Schemas['Refresh']) => {
    const { kind, of, session, stamp } = now.current;
    try {
      const next = renewed(unsigned, fresh);
      remember({ kind, of, wallet: session.wallet, unsigned: next, signed: null, stamp });
      tries.current = 0;
      const problem = new Problem(
        'outdated',
        'What you signed has expired. Here is a fresh copy of the same transaction: sign again.',
      );
      failed(problem, { phase: 'ready', unsigned: next, signed: null }, () => {});
    } catch (cause) {
      settle(kind, of, session.wallet);
      failed(problemFrom(cause), { phase: 'empty', unsigned: null, signed: null }, () => {});
    }
  };

  const sign = async () => {
    const { kind, of, session } = now.current;
    let { unsigned } = state;
    const shown = unsigned;
    if (!unsigned || !shown || elsewhere()) return;
    if (state.phase === 'ready' && short(unsigned) && !renewable(now.current, unsigned)) {
      key.current = crypto.randomUUID();
      const fresh = await ask();
      // If the new transaction differs from the shown transaction, the owner must read the new transaction first.
      if (!fresh || !alike(fresh, unsigned, now.current.essence)) return;
      unsigned = fresh;
    }
    const turn = ++signing.current;
    change({ phase: 'signing', changes: [] });
    if (short(unsigned) && renewable(now.current, unsigned)) {
      try {
        const fresh = await now.current.renew?.(unsigned);
        if (turn !== signing.current) return;
        if (fresh) unsigned = renewed(unsigned, fresh);
        remember({ kind, of, wallet: session.wallet, unsigned, signed: null, stamp: plan.stamp });
        change({ unsigned });
      } catch (cause) {
        const problem = problemFrom(cause);
        if (final(problem)) settle(kind, of, session.wallet);
        if (turn === signing.current)
          failed(problem, final(problem) ? { phase: 'empty', unsigned: null } : { phase: 'ready' }, () => {});
        return;
      }
    }
    let signed: string;
    try {
      const bytes = toSign(unsigned, now.current.asked(shown), session.wallet);
      const back = await session.sign(bytes);
      // A wallet may respond twice to two requests; only the last request counts.
      if (turn !== signing.current) return;
      const { transaction, changes } = checkSigned(bytes, back);
      change({ changes });
      signed = base64.encode(transaction);
    } catch (cause) {
      if (turn === signing.current) failed(refusal(cause), { phase: 'ready' }, () => {});
      return;
    }
    remember({ kind, of, wallet: session.wallet, unsigned, signed, stamp: plan.stamp });
    await finish(unsigned, signed);
  };

  const create = () => {
    key.current = crypto.randomUUID();
    void ask();
  };

  return {
    ...state,
    review: review.current,
    prepare: () => {
      if (plan.review) void look();
      else create();
    },
    create,
    sign: () => void sign(),
    drop: () => {
      if (elsewhere()) return;
      clearTimeout(timer.current);
      // A transaction that was created after a review stays valid: no other transaction is created until an edit.
      if (!plan.review) settle(plan.kind, plan.of, plan.session.wallet);
      change({ phase: 'empty', unsigned: null });
    },
    goOn: () => {
      if (state.unsigned && state.signed) void finish(state.unsigned, state.signed);
    },
  };
}

/** Returns whether too little time is left for signing. A transaction on a blockhash lives some 30 s. */
function short(unsigned: Unsigned): boolean {
  return (
    unsigned.lastValidBlockHeight !== undefined && Date.parse(unsigned.expiresAt) - serviceNow() < TO_SIGN
  );
}

/** Returns whether a transaction has the effect of the previous transaction, and costs no more. */
function alike(fresh: Unsigned, before: Unsigned, essence = (sentence: string) => sentence): boolean {
  const read = ({ explanation }: Unsigned) => JSON.stringify(explanation.map(essence));
  return (
    BigInt(fresh.cost.totalLamports) <= BigInt(before.cost.totalLamports) &&
    fresh.simulation.ok === before.simulation.ok &&
    read(fresh) === read(before)
  );
}

function begin<U extends Unsigned, R extends Done>(plan: Plan<U, R>): State<U> {
  const kept = remembered(plan.kind, plan.of, plan.session.wallet);
  const found = kept?.signed || (!plan.first && kept?.stamp === plan.stamp) ? kept : null;
  const unsigned = (found?.unsigned as U | undefined) ?? plan.first ?? null;
  return {
    phase: found?.signed ? 'held' : unsigned ? 'ready' : 'empty',
    unsigned,
    signed: found?.signed ?? null,
    problem: null,
    retryAt: null,
    freeAt: null,
    told: '',
    changes: [],
    signature: null,
  };
}
