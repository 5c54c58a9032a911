import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Described, launchedWith, metadata } from '../../src/sign/index.js';
import { metadataUri } from '../../src/sign/metadata.js';

interface Rendered {
  readonly name: string;
  readonly wallet: string;
  readonly mint: string;
  readonly launch: Described;
  readonly file: string;
  readonly uri: string;
}

// Launches, and the files that the service makes of them: Go's client is held to them too.
const list = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../testdata/metadata.json'), 'utf8'),
) as Rendered[];

describe('the metadata of a launch', () => {
  for (const { name, wallet, mint, launch, file, uri } of list)
    it(`is the service's: ${name}`, () => {
      expect(metadata(wallet, mint, launch)).toBe(file);
      expect(metadataUri(wallet, mint, launch)).toBe(uri);
      expect(JSON.parse(file).properties.distribution).toBe(launchedWith(wallet, mint, launch));
    });
  it('is of many launches', () => expect(list.length).toBeGreaterThan(9));
});
