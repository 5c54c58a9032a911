import delays from 'virtual:delays';
import intervals from 'virtual:intervals';
import { every, lasting } from '../ui/interval';

/** Returns a text with an upper-case first letter. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The intervals to choose from. */
export const intervalOptions = intervals.map((value) => [value, sentence(every(value))] as const);

/** The rules for the balance of a holder that counts. */
export const basisOptions = [
  ['snapshot', 'Everyone who holds at the payout'],
  ['held', 'Who also held at the payout before'],
] as const;
export const BASIS_HINT =
  'If who also held before is paid, buying just before a payout earns nothing. The first payout then waits for the second.';

/** The delays of changes for the worse to choose from. */
export const delayOptions = delays.map(
  (value) => [value, value === 'none' ? 'No delay' : lasting(value)] as const,
);
export const DELAY_HINT =
  'How long a change waits that lowers what holders get. A promise: the delay can only be raised. Tax from before the change is paid out by the old settings.';

/** The rule of wallets that share the creator's part. */
export const splitHint =
  'For one wallet, add none here. Otherwise two to ten whose percentages add up to 100. They get your share in place of the wallet above.';
