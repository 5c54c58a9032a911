import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** The file of the licences of all code in the bundle, and of the font. */
export const NOTICES = 'assets/licences.txt';

const FONT = './node_modules/@fontsource/fraunces/LICENSE';

/** Appends the font's licence to the file, which Vite writes for modules only. */
export function notices(): Plugin {
  return {
    name: 'notices',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const file = bundle[NOTICES];
        if (file?.type !== 'asset') throw new Error(`The build has no ${NOTICES}.`);
        const font = readFileSync(new URL(FONT, import.meta.url), 'utf8');
        file.source = `${file.source}\n## Fraunces (the font)\n\n${font}`;
      },
    },
  };
}
