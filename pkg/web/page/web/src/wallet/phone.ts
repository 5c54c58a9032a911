/** A wallet's app, and the link that opens a page in its own browser. */
interface App {
  readonly name: string;
  readonly link: (page: string, site: string) => string;
}

const browse = (start: string) => (page: string, site: string) =>
  `${start}${encodeURIComponent(page)}?ref=${encodeURIComponent(site)}`;

/**
 * The wallets' universal links, as their makers document them: docs.phantom.com, "Browse";
 * docs.solflare.com, "Browse"; docs.backpack.app/deeplinks/other-methods/browse. A phone without the app shows the
 * maker's page.
 */
const apps: readonly App[] = [
  { name: 'Phantom', link: browse('https://phantom.app/ul/browse/') },
  { name: 'Solflare', link: browse('https://solflare.com/ul/v1/browse/') },
  { name: 'Backpack', link: browse('https://backpack.app/ul/v1/browse/') },
];

/** Returns links that open a page in a wallet's own browser. */
export const openIn = (page: URL): readonly { readonly name: string; readonly href: string }[] =>
  apps.map(({ name, link }) => ({ name, href: link(page.href, page.origin) }));

/** Returns whether the device is a phone or a tablet, where wallets are apps and not extensions. */
export const onPhone = (agent = navigator.userAgent, touches = navigator.maxTouchPoints): boolean =>
  /Android|iPhone|iPad|iPod/.test(agent) || (/Macintosh/.test(agent) && touches > 1);
