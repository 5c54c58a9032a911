import createClient from 'openapi-fetch';
import { problemFrom, problemOf } from './problem';
import type { components, paths } from './schema';

/** The schemas of the OpenAPI document by name, such as Schemas['Token']. */
export type Schemas = components['schemas'];

/** Longest wait for an answer, in milliseconds: the service gives up at 25 s. */
const TIMEOUT = 28_000;

/**
 * The public API, typed by its own OpenAPI document. Calls go through `answer`, which
 * makes one kind of error of all that can go wrong.
 */
export const api = createClient<paths>({
  baseUrl: location.origin,
  fetch: (request: Request) =>
    fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT)]) }),
});

/** Gives what a call answered with 2xx, or throws an ApiProblem. */
export async function answer<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  let got: { data?: T; error?: unknown; response: Response };
  try {
    got = await call;
  } catch (cause) {
    throw problemFrom(cause);
  }
  if (!got.response.ok) throw problemOf(got.response, got.error);
  return got.data as T;
}

/** The header of a signed-in caller. */
export const bearer = (token: string): { Authorization: string } => ({ Authorization: `Bearer ${token}` });
