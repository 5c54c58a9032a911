/** How requests are sent: with a key that makes them safe to be repeated, and again after what passes. */
import { Problem, problemOf, type RateLimit, rateLimitOf, unanswered, waitIn } from './problem.js';

/** An attempt that failed and is followed by another one. */
export interface Retry {
  /** The request, as in "POST /tokens/submit". */
  readonly call: string;
  readonly problem: Problem;
  /** Milliseconds until the next attempt. */
  readonly wait: number;
}

/** What came with the answer of a call, in addition to its body. */
export interface Answer {
  /** The request, as in "GET /tokens". */
  readonly call: string;
  readonly status: number;
  /** Names the request in the service's log. */
  readonly requestId: string | null;
  /** The rate limit that counted the request; null where the answer has none. */
  readonly rateLimit: RateLimit | null;
  /** Seconds of `Retry-After`; null without one. */
  readonly retryAfter: number | null;
  /** Whether it is the answer of an earlier request with the same key. */
  readonly replayed: boolean;
  /** The number of attempts. */
  readonly attempts: number;
}

/** How calls are made. */
export interface Calling {
  /** How often a call is tried in all; 5 by default. */
  readonly attempts?: number;
  /** The longest wait between two attempts, in milliseconds; 30 s by default. A longer one is left to the caller. */
  readonly maxWait?: number;
  /** The longest wait for an answer, in milliseconds; 35 s by default, longer than the service's own timeout. */
  readonly timeout?: number;
  /** Told of each wait before it begins. */
  readonly onRetry?: (retry: Retry) => void;
  /** Told of the answer of each call, which is that of its last attempt. */
  readonly onAnswer?: (answer: Answer) => void;
  /** Ends what is under way. */
  readonly signal?: AbortSignal;
  /** Sends a request; `fetch` by default. */
  readonly send?: (request: Request, init: RequestInit) => Promise<Response>;
  /** Waits; a timer by default. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

/** The options of one call, which go before the client's. */
export interface CallOptions
  extends Pick<Calling, 'attempts' | 'maxWait' | 'timeout' | 'onRetry' | 'onAnswer' | 'signal'> {
  /**
   * The `Idempotency-Key` of the call, where the operation accepts one: a program that ended can send
   * the same call again with the same key within 24 hours, and nothing is done twice. Each call has a
   * key of its own by default, which only its own attempts share.
   */
  readonly idempotencyKey?: string;
}

/** The options of a client with those of one call. Either signal ends the call. */
export function withOptions(calling: Calling, options: CallOptions): Calling & CallOptions {
  const signals = [calling.signal, options.signal].filter((signal) => signal !== undefined);
  return { ...calling, ...options, ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}) };
}

/** Waits for a promise until a signal is aborted, whose reason it throws then. */
export function until<T>(signal: AbortSignal | undefined, promise: Promise<T>): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

const ATTEMPTS = 5;
const MAX_WAIT = 30_000;
const TIMEOUT = 35_000;
/** The mean wait after the first failure when the answer does not say how long, and the longest. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5_000;

/** The header with the key of a request. */
export const KEY = 'Idempotency-Key';
/** Operations without a key, except those that only read. */
const UNKEYED =
  /^\/(auth|webhooks|actions)\b|\/(refresh|validate|telegram\/(test|link)|generate-distribution-wallet)$/;
/** Operations other than GET that change nothing that counts: an unused wallet is forgotten, and a claim has no effect twice. */
const FREE = /\/tokens\/(validate|generate-distribution-wallet)$|\/actions\//;

/** Whether an operation takes an `Idempotency-Key`, by its method and path in the document. */
export const takesKey = (method: string, path: string): boolean =>
  (method === 'POST' || method === 'PATCH') && !UNKEYED.test(path);

export const timer = (milliseconds: number): Promise<void> =>
  new Promise((done) => setTimeout(done, milliseconds));

/** Sets the key of a request, which its repetitions share, unless its caller set one. */
export function withKey(request: Request, path: string, key: string = crypto.randomUUID()): void {
  if (takesKey(request.method, path) && !request.headers.has(KEY)) request.headers.set(KEY, key);
}

/** Sends requests until they are answered, or it makes no sense to go on. */
export function repeating(calling: Calling): (request: Request) => Promise<Response> {
  const { attempts = ATTEMPTS, timeout = TIMEOUT, sleep = timer, signal } = calling;
  const send = calling.send ?? ((request, init) => fetch(request, init));
  const once = async (request: Request): Promise<Response> => {
    const own = AbortSignal.any([request.signal, ...(signal ? [signal] : [])]);
    const signals = AbortSignal.any([own, AbortSignal.timeout(timeout)]);
    try {
      own.throwIfAborted();
      // A token is for one host: a redirect is an answer like any other.
      return await until(own, send(request, { signal: signals, redirect: 'manual' }));
    } catch (cause) {
      throw own.aborted ? own.reason : unanswered(cause);
    }
  };
  return async (request) => {
    const call = `${request.method} ${new URL(request.url).pathname}`;
    for (let attempt = 1; ; attempt++) {
      const last = attempt >= attempts;
      let found: { problem: Problem; wait: number | null } | null;
      let response: Response | undefined;
      let thrown: unknown;
      try {
        response = await once(last ? request : request.clone());
        found = last ? null : await passing(request, response);
      } catch (cause) {
        thrown = cause;
        const again = !last && cause instanceof Problem && repeatable(request);
        found = again ? { problem: cause, wait: null } : null;
      }
      const wait = found && (found.wait === null ? pause(attempt) : found.wait * 1000);
      if (!found || wait === null || wait > (calling.maxWait ?? MAX_WAIT)) {
        if (!response) throw thrown;
        calling.onAnswer?.({
          ...{ call, attempts: attempt, status: response.status, rateLimit: rateLimitOf(response) },
          requestId: response.headers.get('X-Request-Id'),
          retryAfter: waitIn(response, null),
          replayed: response.headers.get('Idempotency-Replayed') === 'true',
        });
        return response;
      }
      calling.onRetry?.({ call, problem: found.problem, wait });
      await until(signal, sleep(wait));
    }
  };
}

/** Whether a request may be sent again when its outcome is unknown. */
const repeatable = (request: Request): boolean =>
  request.method === 'GET' || request.headers.has(KEY) || FREE.test(new URL(request.url).pathname);

/** The problem of an answer that passes with time, and the seconds that it names; null when it is to be kept. */
async function passing(
  request: Request,
  response: Response,
): Promise<{ problem: Problem; wait: number | null } | null> {
  const { status } = response;
  const down = status >= 502 && status <= 504;
  if (status !== 429 && status !== 409 && !down) return null;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const problem = problemOf(response, body);
  // After a 429 nothing was done.
  const again = status === 429 || problem.code === 'idempotency_in_progress' || (down && repeatable(request));
  return again ? { problem, wait: waitIn(response, body) } : null;
}

/** A time around one that doubles, so that callers who failed together do not come back together. */
function pause(attempt: number): number {
  const mean = Math.min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE);
  return mean / 2 + Math.random() * mean;
}
