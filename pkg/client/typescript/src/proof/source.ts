/** Fetches the files of a proof where its link is, and where the service keeps its files. */
import { NoFile, Unreachable } from './fault.js';
import { type Elsewhere, type Extension, MAX_FILE, type Source } from './files.js';

const TIMEOUT = 30_000;
const TRIES = 3;
const WAIT = 700;
/** Statuses that say that there is no such file; S3 says 403 when listing is not allowed. */
const GONE = [403, 404, 410];

type Sleep = (milliseconds: number) => Promise<void>;

/**
 * The addresses of a proof's files, with {cid} and {extension} in them: next to the proof's link,
 * and where the service keeps its files.
 */
export function placesOf(link: string, proofUrl: string): readonly string[] {
  const beside = `${link.slice(0, link.lastIndexOf('/') + 1)}{cid}${link.endsWith('.tx') ? '{extension}' : ''}`;
  return beside === proofUrl || proofUrl === '' ? [beside] : [beside, proofUrl];
}

/** Reads no more than a file may have, and one byte. */
async function content(response: Response): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  const buffer = new Uint8Array(MAX_FILE + 1);
  let length = 0;
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    const part = next.value.subarray(0, buffer.length - length);
    buffer.set(part, length);
    length += part.length;
    if (length === buffer.length) {
      await reader?.cancel();
      break;
    }
  }
  return buffer.slice(0, length);
}

/** Files by HTTP: from the first place that has one. */
export class HttpSource implements Source {
  /** How many files and bytes were fetched. */
  files = 0;
  bytes = 0;
  constructor(
    private readonly places: readonly string[],
    private readonly sleep: Sleep = (ms) => new Promise((done) => setTimeout(done, ms)),
  ) {}

  async file(cid: string, extension: Extension, folder?: Elsewhere): Promise<Uint8Array> {
    let unreachable: Unreachable | null = null;
    for (const place of this.places) {
      try {
        // At the service each kind of file has a folder; an IPFS gateway has all files in one.
        const at = folder
          ? place.replace(/[^/]+\/\{cid\}\{extension\}$/, `${folder}/{cid}{extension}`)
          : place;
        const found = await this.fetch(at.replace('{cid}', cid).replace('{extension}', extension));
        if (!found) continue;
        this.files++;
        this.bytes += found.length;
        return found;
      } catch (cause) {
        if (!(cause instanceof Unreachable)) throw cause;
        unreachable = cause;
      }
    }
    throw unreachable ?? new NoFile(`${cid}${extension}: no such file`);
  }

  /** Null when there is none there. */
  private async fetch(url: string): Promise<Uint8Array | null> {
    let why = '';
    for (let tries = 0; tries < TRIES; tries++) {
      if (tries > 0) await this.sleep(WAIT * 2 ** (tries - 1));
      try {
        const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT), credentials: 'omit' });
        if (response.ok) return await content(response);
        if (GONE.includes(response.status)) return null;
        why = `${new URL(url).host} answers ${response.status}`;
        if (response.status < 500 && response.status !== 429) break;
      } catch {
        why = `${new URL(url).host} cannot be reached`;
      }
    }
    throw new Unreachable(why);
  }
}
