/** The sites for a token's links: the API's field, the label, an example, and the keyboard of a phone. */
export const LINKS = [
  { name: 'website', label: 'Website', example: 'crane.example', keys: 'url' },
  { name: 'twitter', label: 'X (Twitter)', example: '@crane', keys: undefined },
  { name: 'telegram', label: 'Telegram', example: '@crane', keys: undefined },
] as const;

/** The field of a link. */
export type LinkName = (typeof LINKS)[number]['name'];

/** Returns a value for each link. */
export function eachLink<T>(value: (name: LinkName) => T): Record<LinkName, T> {
  return Object.fromEntries(LINKS.map(({ name }) => [name, value(name)])) as Record<LinkName, T>;
}
