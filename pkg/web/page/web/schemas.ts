import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const DOCUMENT = '../../../api/endpoint/docs/dist/openapi.json';
const NAME = 'virtual:schemas';

/** Bodies that forms check before they are sent. */
const BODIES = ['TokenCreation', 'SettingsChange', 'CurveCreation', 'PoolCreation'];

type Node = { [key: string]: unknown };

/**
 * The module "virtual:schemas": of the OpenAPI document what the forms need, a twentieth of it, so that
 * a browser need not fetch the whole. The page and the service are built of the same document.
 */
export function schemas(document = new URL(DOCUMENT, import.meta.url)): Plugin {
  return {
    name: 'schemas',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load(id) {
      if (id !== `\0${NAME}`) return null;
      return `export default ${JSON.stringify(pick(JSON.parse(readFileSync(document, 'utf8'))))};`;
    },
  };
}

/** The schemas of the bodies and all that they refer to, in the document's shape. */
function pick(document: { components: { schemas: Node } }): Node {
  const { schemas } = document.components;
  const picked: Node = {};
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    const name = /^#\/components\/schemas\/(.+)$/.exec(String((node as Node).$ref))?.[1];
    if (name) take(name);
    for (const child of Object.values(node)) visit(child);
  };
  const take = (name: string): void => {
    if (name in picked) return;
    const schema = schemas[name];
    if (!schema) throw new Error(`The OpenAPI document has no schema ${name}.`);
    picked[name] = bare(schema);
    visit(schema);
  };
  for (const name of BODIES) take(name);
  return { components: { schemas: picked } };
}

/** Without examples, and without the descriptions that no form shows: those of what has no pattern. */
function bare(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(bare);
  if (node === null || typeof node !== 'object') return node;
  const shown = ([key, child]: [string, unknown]) =>
    key !== 'example' &&
    key !== 'examples' &&
    (key !== 'description' || typeof child !== 'string' || 'pattern' in node);
  return Object.fromEntries(
    Object.entries(node)
      .filter(shown)
      .map(([key, child]) => [key, bare(child)]),
  );
}
