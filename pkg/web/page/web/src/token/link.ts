/** A link by a stranger: only http and https are followed, everything else is null. */
export function safeLink(text: string | null): string | null {
  if (!text) return null;
  try {
    const url = new URL(text);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
  } catch {
    return null;
  }
}

/** What a link shows of itself: where it leads. */
export function linkText(href: string): string {
  const url = new URL(href);
  const path = url.pathname === '/' ? '' : url.pathname;
  const text = `${url.host}${path}`;
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
