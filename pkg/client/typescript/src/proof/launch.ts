/** Holds the first snapshot's settings to those that the token's launch promised. */
import { checkPromise } from './before.js';
import { amount, compare, textOf } from './bytes.js';
import { TOKEN_2022, type Transaction } from './chain.js';
import { Fault, NoFile, Rules, Unreachable } from './fault.js';
import { isCid, open } from './files.js';
import { checkDelayed, type Terms } from './next.js';
import { littleEndian } from './numbers.js';
import { textOfManifest } from './order.js';
import { LAUNCHED } from './rules.js';
import type { Run } from './walk.js';

/** Begins the data of the instruction that writes a mint's metadata; see pkg/solana/token2022. */
const INITIALIZE = Uint8Array.of(0xd2, 0xe1, 0x1e, 0xa2, 0x58, 0xb8, 0x4d, 0x8d);

/**
 * The form of a launch's settings, with what checkPromise and checkDelayed compare. Further lines may
 * be there after the shares, except for those that begin with C, M or R; see LaunchPromise in
 * pkg/token/terms.
 */
const SETTINGS =
  /^Tokenlaunch distribution settings\nToken: (\w+)\nVersion: 1\nInterval: (\w+)\nReward token: (\w+)\nMinimum holding: (0|[1-9][0-9]{0,19}) base units\nSell: ([1-9][0-9]{0,4}) basis points\nBurn: (0|[1-9][0-9]{0,4}) basis points\nDeveloper fee: (0|[1-9][0-9]{0,4}) basis points\n(?:(?:[ABD-LN-QS-Z][a-z ]+|Creator split): [\w ]+\n)*(?:Reward basis: (\w+)\n)?(?:Minimum for holders: ([1-9][0-9]{0,4}) basis points\n)?(?:Change delay: (\w+)\n)?Enabled: (?:yes|no)$/;

/** Checks the settings against those in the metadata file that the launch names. */
export async function checkLaunched({ source, manifest: m }: Run, launch: Transaction): Promise<string> {
  const uri = metadataOf(launch, m.mint);
  if (uri === '') return 'the launch names no metadata file, so it promises nothing to holders';
  const cid = uri.slice(uri.lastIndexOf('/') + 1);
  if (!isCid(cid))
    throw new Unreachable(
      'the launch names a metadata file that is not one block, so its settings are not known',
    );
  const file = await open(source, cid, '.json', 'metadata').catch((cause: unknown) => {
    if (!(cause instanceof NoFile)) throw cause;
    throw new Unreachable(
      `the metadata file ${cid} of the launch is not here, so what it promised to holders is not known`,
    );
  });
  const text = settingsOf(file);
  if (text === '')
    return `the metadata file ${cid} of the launch has no settings, so it promises nothing to holders`;
  const { settings } = m;
  if (settings.version === LAUNCHED) {
    if (text !== textOfManifest(m))
      throw new Fault(
        `version ${settings.version} of the settings is not the text in the metadata file ${cid} of the launch`,
      );
    const r = new Rules();
    checkDelayed(m, { by: settings, next: null, since: 0n, done: false }, r);
    r.end();
    return `the settings are those in the metadata file ${cid} of the launch`;
  }
  const launched = promisedBy(m.mint, text);
  if (!launched)
    throw new Unreachable(`the settings in the metadata file ${cid} of the launch cannot be read`);
  const r = new Rules();
  checkPromise(settings, launched, r);
  checkDelayed(m, { by: launched, next: null, since: 0n, done: false }, r);
  r.end();
  return `the settings keep the minimum of ${launched.minimumHoldersBps} basis points that the launch promised to holders`;
}

/** The address of the metadata file that a launch writes into the mint; empty for none. */
function metadataOf(launch: Transaction, mint: string): string {
  for (const { program, accounts, data } of launch.instructions) {
    if (program !== TOKEN_2022 || accounts[0] !== mint) continue;
    if (compare(data.subarray(0, INITIALIZE.length), INITIALIZE) !== 0) continue;
    const texts: Uint8Array[] = [];
    let at = INITIALIZE.length;
    while (texts.length < 3 && at + 4 <= data.length) {
      const end = at + 4 + Number(littleEndian(data.subarray(at, at + 4)));
      if (end > data.length) break;
      texts.push(data.subarray(at + 4, end));
      at = end;
    }
    const [, , uri] = texts;
    if (uri && at === data.length) return textOf(uri);
  }
  return '';
}

/** The text of the settings in a metadata file; empty where it has none. */
function settingsOf(file: Uint8Array): string {
  let read: unknown;
  try {
    read = JSON.parse(textOf(file));
  } catch {
    return '';
  }
  const { properties } = Object(read) as { properties?: unknown };
  const { distribution } = Object(properties) as { distribution?: unknown };
  return typeof distribution === 'string' ? distribution : '';
}

/** What the text of a launch's settings promises; null where it is not of that form. */
function promisedBy(mint: string, text: string): Terms | null {
  const found = SETTINGS.exec(text);
  if (found?.[1] !== mint) return null;
  const at = (i: number) => found[i] ?? '';
  const points = (i: number) => BigInt(at(i) || '0');
  try {
    return {
      version: LAUNCHED,
      interval: at(2),
      rewardToken: at(3),
      minimumHolding: amount(at(4)),
      sellBps: points(5),
      burnBps: points(6),
      developerFeeBps: points(7),
      rewardBasis: at(8),
      minimumHoldersBps: points(9),
      changeDelay: at(10),
    };
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause;
    return null;
  }
}
