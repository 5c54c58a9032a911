/** The service's API, typed by its OpenAPI document. */
import createClient, { type Client } from 'openapi-fetch';
import { named, type Operations } from './named.js';
import { type Calling, type CallOptions, repeating, withKey, withOptions } from './repeat.js';
import type { components, paths } from './schema.js';

export type { Answered, Asked, Entry, Method, OperationId, Operations } from './named.js';
export {
  answer,
  type FieldProblem,
  Problem,
  type ProblemCode,
  problemFrom,
  problemOf,
  type RateLimit,
} from './problem.js';
export type { Answer, Calling, CallOptions, Retry } from './repeat.js';
export {
  type Authority,
  authorized,
  needsToken,
  type Session,
  Sessions,
  signIn,
  signInMessage,
} from './session.js';
export type { paths };

/** The schemas of the API's document by name, such as `Schemas['Token']`. */
export type Schemas = components['schemas'];

/** The API: `GET`, `POST` and `PATCH` take a path of the document. */
export type Api = Client<paths>;

/**
 * The API at an address, typed by its OpenAPI document: `GET`, `POST` and `PATCH` take a path of the
 * document, and answer `data`, or the problem as `error`. `token` is that of `POST /auth/verify`, for
 * the operations that need one. A call is sent again after what passes, unless its outcome is unknown
 * and a second one could do something twice.
 */
export function connect(
  address: string,
  token?: string | undefined,
  calling: Calling & CallOptions = {},
): Api {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const baseUrl = address.replace(/\/+$/, '');
  const api = createClient<paths>({
    baseUrl,
    headers,
    fetch: repeating(calling),
    querySerializer: { array: { style: 'form', explode: false } }, // as the document has lists
  });
  api.use({ onRequest: ({ request, schemaPath }) => withKey(request, schemaPath, calling.idempotencyKey) });
  return api;
}

/**
 * The operations of the API at an address by name, without a wallet: `service(address).getToken({ mintAddress })`.
 * Each returns the body of the answer and throws a Problem. `token` is that of `POST /auth/verify`.
 */
export const service = (address: string, token?: string, calling: Calling = {}): Operations =>
  named((options) => connect(address, token, withOptions(calling, options)));

/** The header of a signed-in caller. */
export const bearer = (token: string): { Authorization: string } => ({ Authorization: `Bearer ${token}` });
