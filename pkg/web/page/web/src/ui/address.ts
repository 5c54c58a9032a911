import { base58 } from '@scure/base';

/** Returns whether a text is an address: base58 of 32 bytes. */
export function isAddress(text: string): boolean {
  if (text.length < 32 || text.length > 44) return false;
  try {
    return base58.decode(text).length === 32;
  } catch {
    return false;
  }
}
