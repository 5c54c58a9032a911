/** What a wallet has signed: bytes, or a text in one of the forms in which wallets sign texts. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesOf, join } from './bytes.js';

/** Whether the key signed the message; keys for which anyone can sign have signed nothing. */
export function isSigned(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, message, key, { zip215: false });
  } catch {
    return false;
  }
}

/** Begins every off-chain message. */
const DOMAIN = Uint8Array.of(0xff, ...bytesOf('solana offchain'));
/** The longest header that is put before a text. */
const HEADER = 85;
/** The longest off-chain message that hardware wallets take. */
const MAX_BYTES = 1232;

/**
 * What a wallet may sign for a text: its bytes, or an off-chain message with the text and no other
 * signer. The reasons for these forms are in pkg/platform/auth/offchain.go. Version 1 is the last.
 */
export function signable(text: string, key: Uint8Array): readonly Uint8Array[] {
  const body = bytesOf(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no text has these
  const odd = /[\x00-\x09\x0b-\x1f\x7f]|\p{Surrogate}/u.test(text);
  if (text === '' || HEADER + body.length > MAX_BYTES || odd) return [body];
  const length = Uint8Array.of(body.length & 0xff, body.length >> 8);
  const forms = [body];
  for (const format of /^[\n -~]*$/.test(text) ? [1, 0] : [1])
    forms.push(
      join(DOMAIN, new Uint8Array(33), Uint8Array.of(format, 1), key, length, body),
      join(DOMAIN, Uint8Array.of(0, format), length, body),
    );
  forms.push(join(DOMAIN, Uint8Array.of(1, 1), key, body));
  return forms;
}

/** Whether the key signed the text, in one of the forms of `signable`. */
export const isSignedText = (signature: Uint8Array, text: string, key: Uint8Array): boolean =>
  signable(text, key).some((message) => isSigned(signature, message, key));
