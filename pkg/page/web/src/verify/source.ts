/** Fetches the files of a proof where its link is, and where the service keeps its files. */
import { NoFile, Unreachable } from './fault';
import { type Extension, MAX_FILE, type Source } from './files';

const TIMEOUT = 30_000;
const TRIES = 3;
const WAIT = 700;
/** Statuses that say that there is no such file; S3 says 403 when listing is not allowed. */
const GONE = [403, 404, 410];

type Sleep = (milliseconds: number) => Promise<void>;

/** A folder on a web server, its files named with the extensions of their kinds or without. */
interface Folder {
  readonly address: string;
  readonly extensions: boolean;
}

/** The folders where a proof's files are: beside its link, and those of the service. */
export function foldersOf(link: string, filesUrl: string): readonly Folder[] {
  const at = link.lastIndexOf('/') + 1;
  const beside = { address: link.slice(0, at), extensions: link.endsWith('.tx') };
  const kept = { address: `${filesUrl.replace(/\/+$/, '')}/proofs/`, extensions: true };
  return beside.address === kept.address ? [kept] : [beside, kept];
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

/** Files by HTTP: from the first folder that has one. */
export class Web implements Source {
  /** How many files and bytes were fetched. */
  files = 0;
  bytes = 0;
  constructor(
    private readonly folders: readonly Folder[],
    private readonly sleep: Sleep = (ms) => new Promise((done) => setTimeout(done, ms)),
  ) {}

  async file(cid: string, extension: Extension): Promise<Uint8Array> {
    let unreachable: Unreachable | null = null;
    for (const folder of this.folders) {
      try {
        const found = await this.fetch(folder.address + cid + (folder.extensions ? extension : ''));
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
