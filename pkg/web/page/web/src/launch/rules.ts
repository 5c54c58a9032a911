import { type Load, useLoad } from '../api/load';
import type { Checkers } from './document';

/** What the service asks of bodies: of its OpenAPI document, as it was when the page was built. */
export const useRules = (): Load<Checkers> =>
  useLoad('document', async () => (await import('./built')).rules);
