import type { Schemas } from 'tokenlaunch/api';

type Token = Schemas['Token'];

/**
 * The token's record as the server wrote it into the page's HTML, so that the page need not ask for
 * it; null if the HTML has none, or that of another token.
 */
export function writtenRecord(mint: string): Token | null {
  const text = document.getElementById('record')?.textContent;
  if (!text) return null;
  const record = JSON.parse(text) as Token;
  return record.mintAddress === mint ? record : null;
}
