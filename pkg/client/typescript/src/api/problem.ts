import type { components, operations } from './schema.js';

type Body = components['schemas']['Problem'];

/** One refused field of a request, as the API names it. */
export interface FieldProblem {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** The rate limit that counted a request. */
export interface RateLimit {
  /** The number of requests that the window allows. */
  readonly limit: number;
  /** The number of requests that are left. */
  readonly remaining: number;
  /** When the oldest counted request leaves the window. */
  readonly reset: Date;
  /** The length of the window in seconds. */
  readonly window: number;
}

/** Returns the rate limit of an answer; null where the answer has none. */
export function rateLimitOf({ headers }: Response): RateLimit | null {
  const number = (name: string) => Number(headers.get(`X-RateLimit-${name}`) ?? Number.NaN);
  const [limit, remaining, reset, window] = [
    number('Limit'),
    number('Remaining'),
    number('Reset'),
    number('Window'),
  ];
  if (Number.isNaN(limit + remaining + reset + window)) return null;
  return { limit, remaining, reset: new Date(reset * 1000), window };
}

type Codes<T> = T extends { content: { 'application/problem+json': { code?: infer Code } } } ? Code : never;

/** The codes that the operations of the document name. */
type DocumentedCode = {
  [Id in keyof operations]: {
    [Status in keyof operations[Id]['responses']]: Codes<operations[Id]['responses'][Status]>;
  }[keyof operations[Id]['responses']];
}[keyof operations];

/**
 * Why a call failed: the codes of the document, those of this package, and any other text, because the
 * service may add codes.
 */
export type ProblemCode =
  | Exclude<DocumentedCode, undefined>
  | ('offline' | 'unreachable' | 'timeout' | 'unexpected')
  | ('node' | 'no_node' | 'chain_refused' | 'lapsed' | 'not_a_sign_in')
  | `http_${number}`
  | (string & Record<never, never>);

/** What more is known of a problem. */
interface More {
  readonly status?: number;
  readonly retryAfter?: number | null;
  readonly fields?: readonly FieldProblem[];
  readonly requestId?: string | null;
  readonly rateLimit?: RateLimit | null;
  readonly refresh?: components['schemas']['Refresh'] | null;
  readonly cause?: unknown;
}

/**
 * Why a call had no answer: the API's refusal (RFC 9457), or no answer at all. `message` is a
 * sentence to show, with the fields that are to blame; `cause` is the error below, as of `fetch`.
 */
export class Problem extends Error {
  /** The API's word for it; "offline", "unreachable" and "timeout" are of calls without an answer. */
  readonly code: ProblemCode;
  /** The status of the answer, 0 without one. */
  readonly status: number;
  /** Seconds after which the same call may go through; null when waiting does not help. */
  readonly retryAfter: number | null;
  readonly fields: readonly FieldProblem[];
  /** The message without the fields. */
  readonly detail: string;
  /** Names the request in the service's log. */
  readonly requestId: string | null;
  /** The rate limit that counted the request; null where the answer has none. */
  readonly rateLimit: RateLimit | null;
  /** A fresh transaction, in place of one that has expired; null when there is none. */
  readonly refresh: components['schemas']['Refresh'] | null;

  constructor(code: ProblemCode, detail: string, more: More = {}) {
    const fields = (more.fields ?? []).map(({ field, message }) => `${field}: ${message}`);
    super([detail, ...fields].join(' '), 'cause' in more ? { cause: more.cause } : undefined);
    this.name = 'Problem';
    this.code = code;
    this.detail = detail;
    this.status = more.status ?? 0;
    this.retryAfter = more.retryAfter ?? null;
    this.fields = more.fields ?? [];
    this.requestId = more.requestId ?? null;
    this.rateLimit = more.rateLimit ?? null;
    this.refresh = more.refresh ?? null;
  }
}

/** Seconds after which a call that found no service may be made again. */
const AGAIN = 5;

/** Seconds that an answer asks its caller to wait; null when it names none. */
export function waitIn(response: Response, body: unknown): number | null {
  const header = Number(response.headers.get('Retry-After'));
  return (body as Partial<Body> | null)?.retryAfter ?? (header > 0 ? header : null);
}

/** Makes a problem of an answer that is none of the expected ones. */
export function problemOf(response: Response, body: unknown): Problem {
  const said = (body && typeof body === 'object' ? body : {}) as Partial<Body>;
  const passing = response.status === 429 || response.status >= 500;
  return new Problem(
    said.code ?? `http_${response.status}`,
    said.detail ?? said.title ?? `The service answered ${response.status}.`,
    {
      status: response.status,
      retryAfter: waitIn(response, said) ?? (passing ? AGAIN : null),
      fields: said.errors ?? [],
      requestId: said.requestId ?? null,
      rateLimit: rateLimitOf(response),
      refresh: said.refresh ?? null,
    },
  );
}

/** Makes a problem of an error of `fetch` itself: no connection, or no answer in time. */
export function unanswered(cause: unknown): Problem {
  if (cause instanceof DOMException && cause.name === 'TimeoutError')
    return new Problem('timeout', 'The service took too long to answer.', { retryAfter: AGAIN, cause });
  // Node has a navigator that does not know.
  if (globalThis.navigator?.onLine === false)
    return new Problem('offline', 'You are offline.', { retryAfter: AGAIN, cause });
  return new Problem('unreachable', 'The service cannot be reached.', { retryAfter: AGAIN, cause });
}

/** Makes a problem to show of any error. An error that is no problem becomes one with the code `unexpected`. */
export function problemFrom(cause: unknown): Problem {
  if (cause instanceof Problem) return cause;
  return new Problem('unexpected', cause instanceof Error ? cause.message : String(cause), { cause });
}

/**
 * Returns the body of an answer with 2xx, and throws a Problem for another answer or none. The reason
 * of a signal that the caller aborted, and an error of the caller's own arguments, are thrown as they are.
 */
export async function answer<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const got = await call;
  if (!got.response.ok) throw problemOf(got.response, got.error);
  return got.data as T;
}
