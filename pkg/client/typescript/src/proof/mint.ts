/** The extension of a mint that has its transfer fee and who may withdraw it. */
export const FEE_CONFIG = 1;

/**
 * Returns an extension of a mint by the mint's data, and null where there is none: the base mint padded
 * to 165 bytes, a byte for the kind of account, then extensions of a type, a length and a
 * value. A multisignature account is told by its length.
 */
export function extensionOf(data: Uint8Array, extension: number): Uint8Array | null {
  const [kind, begin, MINT, MULTISIG] = [165, 166, 1, 355];
  if (data[kind] !== MINT || data.length === MULTISIG) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = begin; at + 4 <= data.length; ) {
    const [type, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    if (type === extension) return data.subarray(at + 4, at + 4 + length);
    if (type === 0) break;
    at += 4 + length;
  }
  return null;
}
