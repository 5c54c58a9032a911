import type { Schemas } from 'tokenlaunch/api';

type Token = Schemas['Token'];

/**
 * Returns the token's record in the page's HTML from the server, which saves a request; null if the
 * HTML has no record, or another token's record.
 */
export function writtenRecord(mint: string): Token | null {
  const text = document.getElementById('record')?.textContent;
  if (!text) return null;
  const record = JSON.parse(text) as Token;
  return record.mintAddress === mint ? record : null;
}
