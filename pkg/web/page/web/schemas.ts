import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const DOCUMENT = '../../../api/endpoint/docs/dist/openapi.json';

/** Bodies that forms check before they are sent. */
const BODIES = ['TokenCreation', 'SettingsChange', 'CurveCreation', 'PoolCreation'];

type Node = { [key: string]: unknown };
type Document = { components: { schemas: Node } };

/** Modules with parts of the OpenAPI document, by their names. */
const MODULES: Readonly<Record<string, (document: Document) => unknown>> = {
  /** What the forms need, a twentieth of the document, so that a browser need not fetch the whole. */
  'virtual:schemas': pick,
  /** The intervals of distributions that a creator can choose. */
  'virtual:intervals': ({ components: { schemas } }) => (schemas.Interval as Node).enum,
  /** The delays of changes for the worse, the shortest first. */
  'virtual:delays': ({ components: { schemas } }) => {
    const { properties } = schemas.DistributionSettings as { properties: { changeDelay: Node } };
    return properties.changeDelay.enum;
  },
  /** The events that a webhook can be told of, and the words for each. */
  'virtual:events': ({ components: { schemas } }) => {
    const { enum: names = [], 'x-enum-descriptions': words } = schemas.WebhookEvent as Record<
      string,
      string[]
    >;
    return Object.fromEntries(names.map((name, i) => [name, words?.[i] ?? name]));
  },
};

/** The modules of the document. The page and the service are built of the same. */
export function schemas(document = new URL(DOCUMENT, import.meta.url)): Plugin {
  return {
    name: 'schemas',
    resolveId: (id) => (id in MODULES ? `\0${id}` : null),
    load(id) {
      const part = id.startsWith('\0') ? MODULES[id.slice(1)] : undefined;
      return part
        ? `export default ${JSON.stringify(part(JSON.parse(readFileSync(document, 'utf8'))))};`
        : null;
    },
  };
}

/** The schemas of the bodies and all that they refer to, in the document's shape. */
function pick(document: Document): Node {
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
