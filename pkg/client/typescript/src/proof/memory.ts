/** Files of a proof in memory. */
import { NoFile } from './fault.js';
import type { Extension, Source } from './files.js';

/** Files by their names: content ids, with the extensions of their kinds or without. */
export class Memory implements Source {
  constructor(readonly files: ReadonlyMap<string, Uint8Array>) {}

  async file(cid: string, extension: Extension): Promise<Uint8Array> {
    const content = this.files.get(cid + extension) ?? this.files.get(cid);
    if (!content) throw new NoFile(`${cid}${extension}: no such file`);
    return content;
  }
}
