/** The lists, with their names. */
export const lists = [
  ['newest', 'Newest'],
  ['paid', 'Most paid'],
  ['volume', 'Most traded'],
  ['featured', 'Featured'],
  ['launchpad', 'Launchpad'],
] as const;

/** One of the lists. */
export type List = (typeof lists)[number][0];

/** What the page shows. It is in its address, so that it can be shared. */
export interface View {
  readonly list: List;
  /** Of the tokens, from 1. */
  readonly page: number;
  /** How the names of the tokens begin; null for all. */
  readonly q: string | null;
  /** Where the launchpad goes on, as the API said; null for its beginning. */
  readonly after: string | null;
}

/** The longest beginning of a name that the API takes, in characters. */
export const MOST_CHARACTERS = 32;

/** Reads the address; what is none of ours is the beginning. */
export function readView(search: string): View {
  const query = new URLSearchParams(search);
  const q = query.get('q')?.trim() ?? '';
  const found = q !== '' && [...q].length <= MOST_CHARACTERS ? q : null;
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

/** The address of a view; what goes without saying is left out. */
export function viewLink(view: Partial<View>): string {
  const query = new URLSearchParams();
  if (view.q) query.set('q', view.q);
  if (view.list && view.list !== 'newest') query.set('list', view.list);
  if (view.page && view.page > 1) query.set('page', String(view.page));
  if (view.after) query.set('after', view.after);
  const text = query.toString();
  return text ? `/?${text}` : '/';
}
