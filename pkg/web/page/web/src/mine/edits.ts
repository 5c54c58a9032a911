import { type Field, type Fields, fieldNames } from './fields';

/** What was written in a field, and what the service had there when the writing began. */
export interface Edit {
  readonly value: string;
  readonly base: string;
}

/** Changes that are not saved, by field. */
export type Edits = Readonly<Partial<Record<Field, Edit>>>;

/** Writes in a field. What is as the service has it is no change. */
export function write(edits: Edits, field: Field, value: string, now: Fields): Edits {
  const { [field]: before, ...rest } = edits;
  const base = before?.base ?? now[field];
  return value === now[field] ? rest : { ...rest, [field]: { value, base } };
}

/** Fields that were changed elsewhere after the writing began, to something else than was written. */
export const conflicts = (edits: Edits, now: Fields): Field[] =>
  fieldNames.filter((field) => {
    const edit = edits[field];
    return edit !== undefined && edit.base !== now[field] && edit.value !== now[field];
  });

/** Decides a conflict: what was written stays, on top of what is there now. */
export const keep = (edits: Edits, field: Field, now: Fields): Edits => {
  const edit = edits[field];
  return edit ? { ...edits, [field]: { ...edit, base: now[field] } } : edits;
};

/** Drops one change, or all that the service has by now. */
export const drop = (edits: Edits, field: Field): Edits => {
  const { [field]: _, ...rest } = edits;
  return rest;
};

/** What is written, over what is there. */
export const written = (edits: Edits): Partial<Fields> =>
  Object.fromEntries(fieldNames.flatMap((field) => (edits[field] ? [[field, edits[field].value]] : [])));

const key = (mint: string) => `settings:${mint}`;

/** Changes that were kept over a reload. */
export function stored(mint: string): Edits {
  try {
    const found = JSON.parse(localStorage.getItem(key(mint)) ?? '{}') as Record<string, Partial<Edit>>;
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

/** Keeps changes over a reload; none are forgotten. */
export function store(mint: string, edits: Edits): void {
  try {
    if (Object.keys(edits).length === 0) localStorage.removeItem(key(mint));
    else localStorage.setItem(key(mint), JSON.stringify(edits));
  } catch {
    // The storage is full or switched off: the changes live as long as the page.
  }
}
