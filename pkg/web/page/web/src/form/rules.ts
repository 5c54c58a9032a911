import { type Load, useLoad } from '../api/load';
import type { Checkers } from './document';

/** Loads the service's rules for bodies, from its OpenAPI document at build time. */
export const useRules = (): Load<Checkers> =>
  useLoad('document', async () => (await import('./built')).rules);
