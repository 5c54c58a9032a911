/** The sites that a token can have a link to: the field of the API, the name for people, an example, and the keys of a phone. */
export const LINKS = [
  { name: 'website', label: 'Website', example: 'crane.example', keys: 'url' },
  { name: 'twitter', label: 'X (Twitter)', example: '@crane', keys: undefined },
  { name: 'telegram', label: 'Telegram', example: '@crane', keys: undefined },
] as const;

/** The field of a link. */
export type LinkName = (typeof LINKS)[number]['name'];

/** A value for each link. */
export function eachLink<T>(value: (name: LinkName) => T): Record<LinkName, T> {
  return Object.fromEntries(LINKS.map(({ name }) => [name, value(name)])) as Record<LinkName, T>;
}
