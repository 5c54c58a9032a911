import { afterEach, describe, expect, it, vi } from 'vitest';
import { NoFile, Unreachable } from '../../src/proof/fault.js';
import { HttpSource, placesOf } from '../../src/proof/source.js';

const sleep = async () => {};
const places = placesOf('https://ipfs.example/ipfs/bafkA', 'https://files.example/proofs/{cid}{extension}');

/** Answers by address; what is not there is 404, and an Error is thrown. */
function serve(files: Record<string, number | string | Error>): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    const found = files[url] ?? 404;
    if (found instanceof Error) throw found;
    return typeof found === 'number' ? new Response('', { status: found }) : new Response(found);
  });
  return asked;
}
afterEach(() => vi.unstubAllGlobals());

describe('the files of a proof', () => {
  it('are next to its link, and where the service keeps them', () => {
    expect(places).toEqual([
      'https://ipfs.example/ipfs/{cid}',
      'https://files.example/proofs/{cid}{extension}',
    ]);
    expect(
      placesOf('https://files.example/proofs/bafkA.tx', 'https://files.example/proofs/{cid}{extension}'),
    ).toEqual(['https://files.example/proofs/{cid}{extension}']);
    expect(placesOf('https://ipfs.example/ipfs/bafkA', '')).toEqual(['https://ipfs.example/ipfs/{cid}']);
  });

  it('come from the first place that has them', async () => {
    const asked = serve({ 'https://files.example/proofs/bafkB.csv': 'kept' });
    const web = new HttpSource(places, sleep);
    expect(new TextDecoder().decode(await web.file('bafkB', '.csv'))).toBe('kept');
    expect(asked).toEqual(['https://ipfs.example/ipfs/bafkB', 'https://files.example/proofs/bafkB.csv']);
    expect([web.files, web.bytes]).toEqual([1, 4]);
  });

  it('are in the folder of their kind at the service', async () => {
    const asked = serve({ 'https://files.example/metadata/bafkB.json': 'kept' });
    await new HttpSource(places, sleep).file('bafkB', '.json', 'metadata');
    expect(asked).toEqual(['https://ipfs.example/ipfs/bafkB', 'https://files.example/metadata/bafkB.json']);
  });

  it('are missing when no place has them, and unknown when one cannot be asked', async () => {
    serve({});
    await expect(new HttpSource(places, sleep).file('bafkB', '.csv')).rejects.toThrow(NoFile);
    const asked = serve({ 'https://ipfs.example/ipfs/bafkB': new TypeError('away') });
    await expect(new HttpSource(places, sleep).file('bafkB', '.csv')).rejects.toThrow(Unreachable);
    expect(asked.filter((url) => url.includes('ipfs'))).toHaveLength(3);
    serve({ 'https://ipfs.example/ipfs/bafkB': 502 });
    await expect(new HttpSource(places, sleep).file('bafkB', '.csv')).rejects.toThrow(
      'ipfs.example answers 502',
    );
  });

  it('are read no further than they may be long', async () => {
    serve({ 'https://ipfs.example/ipfs/bafkB': 'x'.repeat(1_000_000) });
    expect((await new HttpSource(places, sleep).file('bafkB', '.csv')).length).toBe(262_145);
  });
});
