/** The lists, with their names. */
export const lists = [
  ['newest', 'Newest'],
  ['featured', 'Featured'],
  ['launchpad', 'Launchpad'],
] as const;

/** One of the lists. */
export type List = (typeof lists)[number][0];

/** What the page shows. It is in its address, so that it can be shared. */
export interface View {
  readonly list: List;
  /** Of the newest, from 1. */
  readonly page: number;
  /** Where the launchpad goes on, as the API said; null for its beginning. */
  readonly after: string | null;
}

/** Reads the address; what is none of ours is the beginning. */
export function readView(search: string): View {
  const query = new URLSearchParams(search);
  const list = lists.find(([name]) => name === query.get('list'))?.[0] ?? 'newest';
  const page = /^[1-9]\d{0,8}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;
  const after = query.get('after');
  return {
    list,
    page: list === 'newest' ? page : 1,
    after: list === 'launchpad' && after && /^[\w-]{1,512}$/.test(after) ? after : null,
  };
}

/** The address of a view; what goes without saying is left out. */
export function viewLink(view: Partial<View>): string {
  const query = new URLSearchParams();
  if (view.list && view.list !== 'newest') query.set('list', view.list);
  if (view.page && view.page > 1) query.set('page', String(view.page));
  if (view.after) query.set('after', view.after);
  const text = query.toString();
  return text ? `/?${text}` : '/';
}
