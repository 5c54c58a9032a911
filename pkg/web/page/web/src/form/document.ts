import { Validator } from '@cfworker/json-schema';

/** The part of the OpenAPI document that the checks of bodies need. */
export interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A schema of the document, with the fields that the checks read. */
export interface Schema {
  readonly $ref?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly multipleOf?: number;
}

/** The errors, by the field's name. */
export type Wrong = Readonly<Record<string, string>>;

/** Checks bodies against a schema of the document. */
export interface Checker {
  readonly check: (body: Readonly<Record<string, unknown>>) => Wrong;
  /** The schema of a field, with its references resolved. */
  readonly field: (name: string) => Schema;
}

/** Returns the checker of a named schema, such as TokenCreation. */
export type Checkers = (name: string) => Checker;

/** Returns the checkers of a document. */
export function checkers(document: Document): Checkers {
  const made = new Map<string, Checker>();
  return (name) => {
    const found = made.get(name) ?? checker(document, name);
    made.set(name, found);
    return found;
  };
}

function checker(document: Document, name: string): Checker {
  const { schemas } = document.components;
  const root = { $ref: `#/components/schemas/${name}`, components: { schemas } };
  const validator = new Validator(root as never, '2020-12', false);
  const schema = schemas[name];
  if (!schema?.properties) throw new Error(`The document has no schema ${name}.`);
  const field = (key: string): Schema => {
    const own = schema.properties?.[key] ?? {};
    const target = own.$ref ? schemas[own.$ref.replace('#/components/schemas/', '')] : {};
    return { ...target, ...own };
  };
  const check = (given: Readonly<Record<string, unknown>>): Wrong => {
    const body = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    // Like the service, distinguish missing fields from wrong fields.
    const wrong: Record<string, string> = {};
    for (const key of schema.required ?? []) if (body[key] === undefined) wrong[key] = 'Required.';
    for (const { instanceLocation, keyword } of validator.validate(body).errors) {
      const key = /^#\/([^/]+)$/.exec(instanceLocation)?.[1];
      if (key && !wrong[key]) {
        const said = sentence(keyword, field(key));
        if (said) wrong[key] = said;
      }
    }
    return wrong;
  };
  return { check, field };
}

/** Describes the requirement of a constraint. Null for keywords that only lead to other keywords. */
function sentence(keyword: string, schema: Schema): string | null {
  switch (keyword) {
    case 'minLength':
      return schema.minLength === 1 ? 'Required.' : `Use at least ${schema.minLength} characters.`;
    case 'maxLength':
      return `Use at most ${schema.maxLength} characters.`;
    case 'minimum':
    case 'maximum':
      return `Enter a number from ${schema.minimum} to ${schema.maximum}.`;
    case 'multipleOf':
      return `Use at most ${String(schema.multipleOf).split('.')[1]?.length ?? 0} decimals.`;
    case 'enum':
      return `Choose one of ${(schema.enum ?? []).filter((v) => v !== '' && v !== null).join(', ')}.`;
    case 'pattern':
      // Texts are rejected for invisible characters.
      if (schema.maxLength !== undefined)
        return 'It contains characters that are invisible or change the direction of text. Remove them.';
      return `Not a valid format. ${schema.description ?? ''}`.trim();
    case 'type':
    case 'format':
      return 'Not a valid format.';
    default:
      return null;
  }
}
