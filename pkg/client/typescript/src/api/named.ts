/** A method for each operation of the document, by its operationId. */
import type { Api } from './index.js';
import { operations } from './operations.js';
import { problemFrom, problemOf, unanswered } from './problem.js';
import type { CallOptions } from './repeat.js';
import type { operations as Documented } from './schema.js';

/** The operationId of an operation. */
export type OperationId = keyof typeof operations;

/** Properties, or nothing where there are none: an absent part of the schema is `never`. */
type Known<T> = [T] extends [never] ? unknown : string extends keyof T ? unknown : T;
type Part<O, Name extends string> = O extends { parameters: { [N in Name]?: infer P } }
  ? Known<NonNullable<P>>
  : unknown;
type Content<O> = O extends { requestBody?: infer B }
  ? NonNullable<B> extends { content: infer C }
    ? C
    : never
  : never;
type Body<C> = [C] extends [never]
  ? unknown
  : C extends { 'application/json': infer B }
    ? Known<B>
    : C extends { 'multipart/form-data': infer B }
      ? { [Field in keyof B]: Blob | Uint8Array }
      : unknown;
type Flat<T> = unknown extends T ? Record<never, never> : { [K in keyof T]: T[K] };

type Parsed<C> = {
  [Type in keyof C]: Type extends 'application/json'
    ? C[Type]
    : Type extends `text/${string}` | 'image/svg+xml'
      ? string
      : Blob;
}[keyof C];

/** The one argument of an operation: the parameters of its path and query, and the fields of its body. */
export type Asked<Id extends OperationId> = Flat<
  Part<Documented[Id], 'path'> & Part<Documented[Id], 'query'> & Body<Content<Documented[Id]>>
>;

/** The answer of an operation with 2xx: JSON as an object, text as a string, and other content as a Blob. */
export type Answered<Id extends OperationId> = Documented[Id] extends { responses: infer R }
  ? {
      [Status in keyof R]: Status extends 200 | 201 | 202
        ? R[Status] extends { content: infer C }
          ? Parsed<C>
          : undefined
        : never;
    }[keyof R]
  : never;

/** The arguments of an operation, which may leave out what it does not need. */
type Arguments<Id extends OperationId> =
  Record<never, never> extends Asked<Id>
    ? [asked?: Asked<Id>, options?: CallOptions]
    : [asked: Asked<Id>, options?: CallOptions];

/** The entry of a list whose answer leads to the next page; never for another operation. */
export type Entry<Id extends OperationId> =
  Answered<Id> extends { nextCursor: string | null } | { pagination: { hasNext: boolean } }
    ? {
        [K in keyof Answered<Id>]: Answered<Id>[K] extends readonly (infer E)[] ? E : never;
      }[keyof Answered<Id>]
    : never;

/** Calls an operation. It throws a Problem for another answer than 2xx, or none. */
export type Method<Id extends OperationId> = ((...asked: Arguments<Id>) => Promise<Answered<Id>>) &
  ([Entry<Id>] extends [never]
    ? unknown
    : {
        /**
         * The entries of all pages, each page read when its first entry is asked for; `limit` is 100 by
         * default. It begins at the `cursor` or the `page` that it is given.
         */
        readonly all: (...asked: Arguments<Id>) => AsyncGenerator<Entry<Id>, void>;
      });

/** The operations of the document by name. */
export type Operations = { readonly [Id in OperationId]: Method<Id> };

type Fields = Readonly<Record<string, unknown>>;
type Call = (asked?: Fields, options?: CallOptions) => Promise<unknown>;

/** A class whose objects have a method for each operation of the document. */
export const Named = class {
  constructor(connected: (options: CallOptions) => Api) {
    Object.assign(this, named(connected));
  }
} as new (
  connected: (options: CallOptions) => Api,
) => Operations;

/** Methods that call operations on the API which `connected` returns for the options of a call. */
export function named(connected: (options: CallOptions) => Api): Operations {
  const methods = Object.entries(operations).map(([id, [method, path, body]]) => {
    const call: Call = async (asked = {}, options = {}) => {
      const inPath: Record<string, unknown> = {};
      const rest = { ...asked };
      for (const [, name] of path.matchAll(/\{(\w+)\}/g) as Iterable<[string, string]>) {
        // An empty one would name another path.
        if (typeof rest[name] !== 'string' || rest[name] === '') throw new TypeError(`${id} needs ${name}.`);
        inPath[name] = rest[name];
        delete rest[name];
      }
      // One call signature for all: the types of Operations hold for each.
      const request = connected(options).request as (
        method: string,
        path: string,
        init: object,
      ) => Promise<{ error?: unknown; response: Response }>;
      const { response, error } = await request(method, path, {
        parseAs: 'stream', // by the type of the answer, below
        params: body ? { path: inPath } : { path: inPath, query: rest },
        ...(body === 'json' ? { body: rest } : {}),
        ...(body === 'form' ? { body: form(rest), bodySerializer: (whole: unknown) => whole } : {}),
      });
      if (!response.ok) throw problemOf(response, error);
      try {
        return await contentOf(response);
      } catch (cause) {
        options.signal?.throwIfAborted();
        throw cause instanceof SyntaxError ? problemFrom(cause) : unanswered(cause);
      }
    };
    // The types of Operations have `all` where an answer leads to the next page.
    return [id, Object.assign(call, { all: (...asked: Parameters<Call>) => pages(call, ...asked) })];
  });
  return Object.fromEntries(methods) as Record<string, unknown> as Operations;
}

/** The most entries of a page that the service accepts. */
const MAX_ENTRIES = 100;

/** A page of a list. */
interface Page {
  readonly nextCursor?: string | null;
  readonly pagination?: { readonly page: number; readonly hasNext: boolean };
}

async function* pages(
  call: Call,
  asked: Fields = {},
  options: CallOptions = {},
): AsyncGenerator<unknown, void> {
  let before = new Set<unknown>();
  for (let at: Fields | null = {}; at; ) {
    const page = (await call({ limit: MAX_ENTRIES, ...asked, ...at }, options)) as Page;
    const entries: readonly unknown[] = Object.values(page).find(Array.isArray) ?? [];
    const { nextCursor, pagination } = page;
    if (pagination) {
      // A new entry in front pushes one from a page to the next, where it comes a second time.
      const seen = before;
      const id = (entry: unknown) => (entry as { readonly id: string }).id;
      before = new Set(entries.map(id));
      yield* entries.filter((entry) => !seen.has(id(entry)));
    } else {
      yield* entries;
    }
    at = pagination?.hasNext ? { page: pagination.page + 1 } : nextCursor ? { cursor: nextCursor } : null;
  }
}

function contentOf(response: Response): Promise<unknown> {
  const type = response.headers.get('Content-Type') ?? '';
  if (/^application\/json\b/.test(type)) return response.json();
  return /^(text\/|image\/svg\b)/.test(type) ? response.text() : response.blob();
}

const PNG = [0x89, 0x50, 0x4e, 0x47];

/** A form with pictures. */
export function form(fields: Fields): FormData {
  const made = new FormData();
  for (const [name, content] of Object.entries(fields)) {
    if (content instanceof Blob) {
      made.append(name, content, name);
      continue;
    }
    if (!(content instanceof Uint8Array)) throw new TypeError(`${name} must be a Uint8Array or a Blob.`);
    const type = PNG.every((byte, i) => content[i] === byte) ? 'image/png' : 'image/jpeg';
    made.append(name, new Blob([new Uint8Array(content)], { type }), name);
  }
  return made;
}
