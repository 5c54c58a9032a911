import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { needsToken } from '../../src/api/index.js';
import { takesKey } from '../../src/api/repeat.js';

interface Operation {
  readonly parameters?: readonly { readonly $ref?: string }[];
  readonly security?: readonly object[];
}

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../api/endpoint/docs/dist/openapi.json'), 'utf8'),
) as { readonly paths: Record<string, Record<string, Operation>> };

it('knows which operations take a key and need a token, as the document has it', () => {
  for (const [path, operations] of Object.entries(document.paths))
    for (const [name, { parameters = [], security = [] }] of Object.entries(operations)) {
      const method = name.toUpperCase();
      const keyed = parameters.some(({ $ref }) => $ref?.includes('Idempotency'));
      expect({ method, path, key: takesKey(method, path) }).toEqual({ method, path, key: keyed });
      const token = security.some((way) => Object.keys(way).length > 0);
      expect({ method, path, token: needsToken(method, path) }).toEqual({ method, path, token });
    }
});
