/** The lists, with their names. */
export const lists = [
  ['newest', 'Newest'],
  ['paid', 'Most paid'],
  ['volume', 'Most traded'],
  ['featured', 'Featured'],
  ['launchpad', 'Launchpad'],
] as const;

/** The name of a list. */
export type List = (typeof lists)[number][0];

/** The state of the page. The state is in the page's address, so that visitors can share the state. */
export interface View {
  readonly list: List;
  /** Page of tokens, from 1. */
  readonly page: number;
  /** Prefix of the tokens' names; null for all tokens. */
  readonly q: string | null;
  /** The launchpad's cursor from the API; null for the first page. */
  readonly after: string | null;
}

/** The API's maximum length of a name prefix, in characters. */
export const MAX_CHARACTERS = 32;

/** Parses the address; unknown values mean the first page. */
export function readView(search: string): View {
  const query = new URLSearchParams(search);
  const q = query.get('q')?.trim() ?? '';
  const found = q !== '' && [...q].length <= MAX_CHARACTERS ? q : null;
  const list = lists.find(([name]) => !found && name === query.get('list'))?.[0] ?? 'newest';
  const page = /^[1-9]\d{0,8}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;
  const after = query.get('after');
  return {
    list,
    page: list === 'featured' || list === 'launchpad' ? 1 : page,
    after: list === 'launchpad' && after && /^[\w-]{1,512}$/.test(after) ? after : null,
    q: found,
  };
}

/** Returns the address of a view, without default values. */
export function viewLink(view: Partial<View>): string {
  const query = new URLSearchParams();
  if (view.q) query.set('q', view.q);
  if (view.list && view.list !== 'newest') query.set('list', view.list);
  if (view.page && view.page > 1) query.set('page', String(view.page));
  if (view.after) query.set('after', view.after);
  const text = query.toString();
  return text ? `/?${text}` : '/';
}
