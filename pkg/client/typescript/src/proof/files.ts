/** The files of a proof, each named by its content. */
import { sha256 } from '@noble/hashes/sha2.js';
import { join, quoted } from './bytes.js';
import { Fault } from './fault.js';

/** The longest file of a proof, in bytes: one IPFS block, so that its name is its hash. */
export const MAX_FILE = 262_144;

/** What a file is, by the end of its name at the service. */
export type Extension = '.csv' | '.json' | '.tx';

/** Where the service keeps a file that is not a proof's: the metadata file of a token's launch. */
export type Elsewhere = 'metadata';

/**
 * Returns files by their content id. The content is not trusted. NoFile when the file is missing,
 * Unreachable when no source answers.
 */
export interface Source {
  file(cid: string, extension: Extension, folder?: Elsewhere): Promise<Uint8Array>;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
/** Version 1, raw codec, SHA-256, 32 bytes. */
const PREFIX = Uint8Array.of(1, 0x55, 0x12, 0x20);

/** The content id of a block with this SHA-256: multibase "b", lower-case base32. */
export function cidOf(hash: Uint8Array): string {
  let text = 'b';
  let [bits, held] = [0, 0];
  for (const byte of join(PREFIX, hash)) {
    bits = (bits << 8) | byte;
    held += 8;
    while (held >= 5) {
      held -= 5;
      text += LETTERS[(bits >> held) & 31];
    }
    bits &= 31;
  }
  return held > 0 ? text + LETTERS[(bits << (5 - held)) & 31] : text;
}

/** The SHA-256 of the block with this content id. */
export function hashOf(cid: string): Uint8Array {
  const bytes: number[] = [];
  let [bits, held] = [0, 0];
  for (const letter of isCid(cid) ? cid.slice(1) : '') {
    bits = (bits << 5) | LETTERS.indexOf(letter);
    held += 5;
    if (held < 8) continue;
    held -= 8;
    bytes.push((bits >> held) & 255);
    bits &= (1 << held) - 1;
  }
  const hash = Uint8Array.from(bytes.slice(PREFIX.length));
  if (hash.length !== 32 || cidOf(hash) !== cid)
    throw new Fault(`${quoted(cid)} is not the content id of a block`);
  return hash;
}

/** Whether the text has the form of a content id of a block. */
export const isCid = (text: string): boolean => /^bafkrei[a-z2-7]{52}$/.test(text);

/** Reads a file and holds its content against its name. */
export async function open(
  source: Source,
  cid: string,
  extension: Extension,
  folder?: Elsewhere,
): Promise<Uint8Array> {
  if (!isCid(cid)) throw new Fault(`${quoted(cid)} is not the content id of a block`);
  const content = await source.file(cid, extension, folder);
  if (cidOf(sha256(content)) !== cid)
    throw new Fault(`${cid}${extension}: the content is not what the file's name says`);
  return content;
}
