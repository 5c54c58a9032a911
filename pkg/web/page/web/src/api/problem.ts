import type { components } from './schema';

type Body = components['schemas']['Problem'];

/** One refused field of a request, as the API names it. */
export interface FieldProblem {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/**
 * Why a call had no answer: what the API said (RFC 9457), or that it did not answer at all.
 * `message` is a sentence to show.
 */
export class ApiProblem extends Error {
  /** The API's word for it; "offline", "unreachable" and "timeout" are the page's own. */
  readonly code: string;
  /** The status of the answer, 0 without one. */
  readonly status: number;
  /** Seconds after which the same call may go through; null when it will not by itself. */
  readonly retryAfter: number | null;
  readonly fields: readonly FieldProblem[];
  /** Names the request in the service's log. */
  readonly requestId: string | null;
  /** A fresh transaction, in place of one that has expired; null when there is none. */
  readonly refresh: components['schemas']['Refresh'] | null;

  constructor(
    code: string,
    message: string,
    more: {
      status?: number;
      retryAfter?: number | null;
      fields?: readonly FieldProblem[];
      requestId?: string | null;
      refresh?: components['schemas']['Refresh'] | null;
    } = {},
  ) {
    super(message);
    this.name = 'ApiProblem';
    this.code = code;
    this.status = more.status ?? 0;
    this.retryAfter = more.retryAfter ?? null;
    this.fields = more.fields ?? [];
    this.requestId = more.requestId ?? null;
    this.refresh = more.refresh ?? null;
  }
}

/** Seconds after which a call that found no service is made again. */
const AGAIN = 5;

/** Makes a problem of an answer that is none of the expected ones. */
export function problemOf(response: Response, body: unknown): ApiProblem {
  const said = (body && typeof body === 'object' ? body : {}) as Partial<Body>;
  const header = Number(response.headers.get('Retry-After'));
  const wait = said.retryAfter ?? (header > 0 ? header : null);
  const passing = response.status === 429 || response.status >= 500;
  return new ApiProblem(
    said.code ?? `http_${response.status}`,
    said.detail ?? said.title ?? `The service answered ${response.status}.`,
    {
      status: response.status,
      retryAfter: wait ?? (passing ? AGAIN : null),
      fields: said.errors ?? [],
      requestId: said.requestId ?? null,
      refresh: said.refresh ?? null,
    },
  );
}

/** Makes a problem of whatever a call threw. */
export function problemFrom(cause: unknown): ApiProblem {
  if (cause instanceof ApiProblem) return cause;
  if (cause instanceof DOMException && (cause.name === 'TimeoutError' || cause.name === 'AbortError'))
    return new ApiProblem('timeout', 'The service took too long to answer.', { retryAfter: AGAIN });
  if (!navigator.onLine) return new ApiProblem('offline', 'You are offline.', { retryAfter: AGAIN });
  if (cause instanceof TypeError)
    return new ApiProblem('unreachable', 'The service cannot be reached.', { retryAfter: AGAIN });
  return new ApiProblem('unexpected', cause instanceof Error ? cause.message : String(cause));
}
