/** Files of a proof on a disk, for Node: this entry is apart, so that browsers need not have it. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { NoFile, said, Unreachable } from './fault.js';
import { type Extension, MAX_FILE, type Source } from './files.js';

/** A folder whose files are named by their content ids, with the extensions of their kinds or without. */
export class DirectorySource implements Source {
  constructor(private readonly path: string) {}

  async file(cid: string, extension: Extension): Promise<Uint8Array> {
    for (const name of [cid + extension, cid]) {
      try {
        return await read(join(this.path, name));
      } catch (cause) {
        if ((cause as { code?: unknown }).code !== 'ENOENT') throw new Unreachable(said(cause));
      }
    }
    throw new NoFile(`${cid}${extension}: no such file`);
  }
}

/** Reads no more than a file may have, and one byte. */
async function read(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const buffer = new Uint8Array(MAX_FILE + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length);
      if (bytesRead === 0) return buffer.slice(0, length);
      length += bytesRead;
    }
  } finally {
    await file.close();
  }
}
