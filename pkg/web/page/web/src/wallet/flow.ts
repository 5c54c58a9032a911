import { base64 } from '@scure/base';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Problem, problemFrom, type Schemas } from 'tokenlaunch/api';
import { broadcast } from 'tokenlaunch/network';
import { type Asked, checkSigned, renewed } from 'tokenlaunch/sign';
import { serviceNow } from './clock';
import { node } from './node';
import { type Kind, remember, remembered, settle } from './pending';
import type { Session } from './session';
import { type Review, toSign, type Unsigned } from './unsigned';

/** How a transaction ended well. */
export interface Done {
  readonly signature: string;
}

/** What is to be made, signed and sent. */
export interface Plan<U extends Unsigned, R extends Done> {
  readonly kind: Kind;
  /** What it is of, such as the address of a mint: one at a time is under way of it. */
  readonly of: string;
  readonly session: Session;
  /**
   * Checks what was asked for, and creates nothing. Creations are few in an hour where the plan has
   * this: the transaction is then made when its owner goes on to sign, and not for each look.
   */
  readonly review?: () => Promise<Review>;
  /** Asks the API for the transaction. The key makes the call safe to be repeated. */
  readonly prepare: (idempotencyKey: string) => Promise<U>;
  /** What it is made of. An unsigned one that was made of something else is not come back to. */
  readonly stamp?: string;
  /** A transaction that is there already. */
  readonly first?: U | null;
  /** What was asked for, and what of the answer its owner was shown: nothing else is signed. */
  readonly asked: (shown: U) => Asked;
  /** A sentence of the explanation without what is another each time, and is checked before it is signed. */
  readonly essence?: (sentence: string) => string;
  /** Asks for the same on a newer blockhash, where the service follows it. */
  readonly renew?: (unsigned: U) => Promise<Schemas['Refresh']>;
  /** Brings it to its end; without it, it is sent to the network and watched. May be repeated (`again`). */
  readonly finish?: (unsigned: U, signed: string, tell: (text: string) => void, again: boolean) => Promise<R>;
  /** Called with whether what the transaction was made of must stay as it is. */
  readonly onLock?: (locked: boolean) => void;
  /** Called once it has landed; what must outlive a reload is to be written down in it. */
  readonly onDone: (done: R, unsigned: U) => void;
}

export interface State<U> {
  /** `reviewed`: checked, and not made yet. `held`: signed, and its end is not known yet. */
  readonly phase: 'empty' | 'preparing' | 'reviewed' | 'ready' | 'signing' | 'finishing' | 'held' | 'done';
  readonly unsigned: U | null;
  readonly signed: string | null;
  readonly problem: Problem | null;
  /** When it goes on by itself, in milliseconds since 1970. */
  readonly retryAt: number | null;
  /** When its owner can try again, in milliseconds since 1970, where it does not go on by itself. */
  readonly freeAt: number | null;
  /** How far it is, in words. */
  readonly told: string;
  readonly signature: string | null;
}

export interface Flow<U> extends State<U> {
  /** What the check returned, in phase `reviewed`. */
  readonly review: Review | null;
  /** Begins: with the check where the plan has one, else with the transaction. */
  readonly prepare: () => void;
  /** Has the transaction made that was reviewed. */
  readonly create: () => void;
  readonly sign: () => void;
  /** Drops what was not signed, to have another one made. */
  readonly drop: () => void;
  /** Goes on with what was signed. */
  readonly goOn: () => void;
}

/** Whether a problem says for certain that nothing will come of the transaction. */
function final(problem: Problem): boolean {
  if (problem.code === 'chain_refused' || problem.code === 'lapsed') return true;
  return (
    problem.retryAfter === null && problem.status >= 400 && problem.status < 500 && problem.status !== 401
  );
}

/** Milliseconds in which a wallet and its owner can sign; with fewer left, a fresh one is asked for. */
const TO_SIGN = 15_000;

/** The longest wait for a limit after which a transaction is made by itself: its owner is still there. */
const LONGEST_WAIT = 60_000;

/** Whether a transaction can be had again when its time is over. */
export const renewable = <U extends Unsigned, R extends Done>(
  plan: Plan<U, R>,
  unsigned: U | null,
): boolean => plan.renew !== undefined && unsigned?.lastValidBlockHeight !== undefined;

/** Words for what a wallet threw: most often that its owner said no. */
function refusal(cause: unknown): Problem {
  const said = cause instanceof Error ? cause.message : String(cause);
  return /reject|denied|declin|cancel/i.test(said)
    ? new Problem('rejected', 'You did not sign. Nothing was sent or paid.')
    : new Problem('wallet', said);
}

/** Takes a transaction from its making to its end, over reloads and lost answers. */
export function useFlow<U extends Unsigned, R extends Done>(plan: Plan<U, R>): Flow<U> {
  const [state, set] = useState<State<U>>(() => begin(plan));
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
    if (!over.current) set((s) => ({ ...s, problem: null, retryAt: null, freeAt: null, ...next }));
  };
  const failed = (problem: Problem, next: Partial<State<U>>, again: () => void) => {
    const wait = problem.retryAfter === null ? null : problem.retryAfter * 1000;
    clearTimeout(timer.current);
    if (wait !== null && !over.current) timer.current = window.setTimeout(again, wait);
    change({ ...next, problem, retryAt: wait === null ? null : Date.now() + wait });
  };

  /** Another tab may have had one signed meanwhile: then there is no second one. */
  const elsewhere = (): boolean => {
    const { kind, of, session } = now.current;
    const kept = remembered(kind, of, session.wallet);
    if (!kept?.signed) return false;
    tries.current = 1;
    change({ phase: 'held', unsigned: kept.unsigned as U, signed: kept.signed });
    return true;
  };

  /** A call that makes something to be read. After a long wait its owner asks again: a transaction would be over. */
  const refused = (problem: Problem, phase: State<U>['phase'], again: () => void) => {
    const wait = (problem.retryAfter ?? 0) * 1000;
    if (problem.status === 429 && wait > LONGEST_WAIT) change({ phase, problem, freeAt: Date.now() + wait });
    else failed(problem, { phase }, again);
  };

  const look = async (): Promise<void> => {
    clearTimeout(timer.current);
    if (asking.current || elsewhere()) return;
    const { kind, of, session, stamp } = now.current;
    // What was made of the same is shown again.
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
      // What passes by itself changes nothing of what was reviewed; anything else may have to be edited.
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

  /** What was signed can happen no more; there is a fresh one to sign. */
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
      // What is not as it was shown is for its owner to read first.
      if (!fresh || !alike(fresh, unsigned, now.current.essence)) return;
      unsigned = fresh;
    }
    const turn = ++signing.current;
    change({ phase: 'signing' });
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
      // A wallet that was asked twice may answer twice; the last asking counts.
      if (turn !== signing.current) return;
      checkSigned(bytes, back, now.current.finish !== undefined);
      signed = base64.encode(back);
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
      // One that was created after a review stays good: nothing is created again until something is edited.
      if (!plan.review) settle(plan.kind, plan.of, plan.session.wallet);
      change({ phase: 'empty', unsigned: null });
    },
    goOn: () => {
      if (state.unsigned && state.signed) void finish(state.unsigned, state.signed);
    },
  };
}

/** Whether there is too little time left to sign it: one on a blockhash lives some 30 s. */
function short(unsigned: Unsigned): boolean {
  return (
    unsigned.lastValidBlockHeight !== undefined && Date.parse(unsigned.expiresAt) - serviceNow() < TO_SIGN
  );
}

/** Whether a transaction does what the one before did, and costs no more. */
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
    signature: null,
  };
}
