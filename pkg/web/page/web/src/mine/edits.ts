import { local } from '../ui/storage';
import { type Field, type Fields, fieldNames } from './fields';

/** The typed value of a field, and the service's value at the start of typing. */
export interface Edit {
  readonly value: string;
  readonly base: string;
}

/** Unsaved changes, by field. */
export type Edits = Readonly<Partial<Record<Field, Edit>>>;

/** Stores a typed value. The service's own value is not a change. */
export function write(edits: Edits, field: Field, value: string, now: Fields): Edits {
  const { [field]: before, ...rest } = edits;
  const base = before?.base ?? now[field];
  return value === now[field] ? rest : { ...rest, [field]: { value, base } };
}

/** Returns the fields that were changed elsewhere since the start of typing, to another value than the typed value. */
export const conflicts = (edits: Edits, now: Fields): Field[] =>
  fieldNames.filter((field) => {
    const edit = edits[field];
    return edit !== undefined && edit.base !== now[field] && edit.value !== now[field];
  });

/** Resolves a conflict: the typed value stays, on top of the present value. */
export const keep = (edits: Edits, field: Field, now: Fields): Edits => {
  const edit = edits[field];
  return edit ? { ...edits, [field]: { ...edit, base: now[field] } } : edits;
};

/** Drops a change. */
export const drop = (edits: Edits, field: Field): Edits => {
  const { [field]: _, ...rest } = edits;
  return rest;
};

/** Returns the typed values. */
export const written = (edits: Edits): Partial<Fields> =>
  Object.fromEntries(fieldNames.flatMap((field) => (edits[field] ? [[field, edits[field].value]] : [])));

const key = (mint: string) => `settings:${mint}`;

/** Returns the changes stored before a reload. */
export function stored(mint: string): Edits {
  try {
    const found = JSON.parse(local.get(key(mint)) ?? '{}') as Record<string, Partial<Edit>>;
    return Object.fromEntries(
      fieldNames.flatMap((field) => {
        const { value, base } = found[field] ?? {};
        return typeof value === 'string' && typeof base === 'string' ? [[field, { value, base }]] : [];
      }),
    );
  } catch {
    return {};
  }
}

/** Stores changes across a reload. Without changes, removes the stored changes. */
export function store(mint: string, edits: Edits): void {
  try {
    if (Object.keys(edits).length === 0) local.remove(key(mint));
    else local.set(key(mint), JSON.stringify(edits));
  } catch {
    // The storage is full or disabled: the changes live as long as the page.
  }
}
