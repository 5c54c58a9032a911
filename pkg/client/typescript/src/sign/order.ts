/** What a creator signs to order settings: the text of what a change makes of them. */
import { type Ordered, orderText } from '../proof/order.js';

/** Settings as they are now, with their version. */
export interface Versioned extends Ordered {
  readonly version: number;
}

/** The mint of wrapped SOL; as a reward it is SOL itself. */
const WRAPPED = 'So11111111111111111111111111111111111111112';

/** The reward token as settings have it. */
export const reward = (token: string): string => (token === WRAPPED ? 'SOL' : token);

/** A version of the settings, and its text. */
export interface SettingsText {
  readonly version: number;
  readonly text: string;
}

/**
 * The text to sign for a change of a token's settings, or for these as they are when it changes
 * nothing. What the change does not name stays, and is the service's word: show the text to its signer.
 */
export function settingsText(
  mint: string,
  now: Versioned,
  change: Readonly<Record<string, unknown>>,
): SettingsText {
  const named = Object.entries(change).filter(([, value]) => value !== undefined && value !== null);
  const after = { ...now, ...Object.fromEntries(named) };
  after.rewardToken = reward(after.rewardToken);
  const current = now as unknown as Readonly<Record<string, unknown>>;
  // Splits are the same when their lines in the text are.
  const changes =
    orderText(mint, now.version, after) !== orderText(mint, now.version, now) ||
    named.some(([name, value]) => !Array.isArray(value) && (after as never)[name] !== current[name]);
  const version = now.version + (changes ? 1 : 0);
  return { version, text: orderText(mint, version, after) };
}
