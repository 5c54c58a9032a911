/** Returns an untrusted link if the protocol is http or https, or null. */
export function safeLink(text: string | null): string | null {
  if (!text) return null;
  try {
    const url = new URL(text);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
  } catch {
    return null;
  }
}

/** Returns the text of a link: its destination. */
export function linkText(href: string): string {
  const url = new URL(href);
  const path = url.pathname === '/' ? '' : url.pathname;
  const text = `${url.host}${path}`;
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
