import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './schema.js';

export type { paths };

/** The schemas of the API's document by name, such as `Schemas['Token']`. */
export type Schemas = components['schemas'];

/**
 * The API at an address, typed by its OpenAPI document: `GET`, `POST` and `PATCH` take a path of the
 * document, and answer `data`, or the problem as `error`. `token` is that of `POST /auth/verify`, for
 * the operations that need one.
 */
export function connect(address: string, token?: string | undefined): Client<paths> {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  return createClient<paths>({ baseUrl: address, headers });
}
