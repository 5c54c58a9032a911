import { answer, api } from '../api/client';
import { type Load, useLoad } from '../api/load';
import type { Checkers, Document } from './document';

/** What the service asks of bodies: fetched with its OpenAPI document, and the code that reads it. */
export const useRules = (): Load<Checkers> =>
  useLoad('document', async () => {
    const [document, module] = await Promise.all([answer(api.GET('/openapi.json')), import('./document')]);
    return module.checkers(document as unknown as Document);
  });
