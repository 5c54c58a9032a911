import type { Schemas } from '../../api/client';

type Status = Schemas['RunSummary']['status'];
type Step = Schemas['RunStep']['step'];
type Entry = Schemas['StatementEntry']['name'];

/** How far a distribution has come, in words. */
export const statusWords: Readonly<Record<Status, string>> = {
  opened: 'Beginning',
  collecting: 'Collecting the tax',
  snapshotting: 'Counting who holds what',
  burning: 'Burning',
  exchanging: 'Selling for the reward',
  paying: 'Paying the holders',
  settled: 'Done',
  skipped: 'Nothing shared out',
  failed: 'Stopped',
};

/** Whether a distribution is still at work. */
export const atWork = (status: Status): boolean =>
  status !== 'settled' && status !== 'skipped' && status !== 'failed';

/** Why a distribution came to nothing, in words for holders. The API's own detail stands beside it. */
export const reasonWords: Readonly<{ [code: string]: string }> = {
  paused: 'The creator has paused the distributions. The tax goes on collecting.',
  nothing_to_distribute: 'No tax had come in.',
  no_market: 'There was no market on which the tax could be sold. It is kept for the next one.',
  below_cost: 'What had come in was worth less than sending it would cost. It is kept for the next one.',
  wallet_too_low: 'The distribution wallet has too little SOL for network fees. Nothing is lost; it waits.',
  no_holders: 'Nobody held the minimum.',
  unsupported_reward_token: 'The reward token can no longer be paid out. The creator must choose another.',
  snapshot_does_not_add_up: 'What the holders had did not add up to the supply, so nothing was paid.',
  books_do_not_balance:
    'The books did not agree with the chain. Nothing moves until somebody has looked at it.',
  frozen: 'The ledger did not agree with the chain. Nothing moves until somebody has looked at it.',
};

/** The steps of a distribution, in words. */
export const stepWords: Readonly<Record<Step, string>> = {
  collect: 'Tax collected',
  snapshot: 'Holders counted',
  burn: 'Burned',
  fuel: 'Sold for network fees',
  exchange: 'Sold for the reward',
  creator: 'Creator paid',
  pay: 'Holders paid',
  anchor: 'Proof written to the chain',
};

/** The lines of a statement, in words. */
export const entryWords: Readonly<Record<Entry, string>> = {
  collected: 'tax collected',
  deposits: 'sent to the wallet by others',
  proceeds: 'brought by the sale',
  fuel: 'bought for network fees',
  returned: 'rent that came back',
  receiptsReturned: 'back from receipts of payments',
  burned: 'burned',
  sold: 'sold for the reward',
  fuelSold: 'sold for network fees',
  creator: 'to the creator',
  holders: 'to holders',
  taxOnSending: 'tax taken on sending',
  fees: 'network fees',
  rent: 'rent of new accounts',
  receiptsLent: 'lent to receipts of payments, until they come back',
  undecided: 'left by a transaction that cannot be decided',
  adjustment: 'explained by the service alone, with its reason',
  owed: 'owed to holders and the creator',
  reserved: 'sent, but not certain to have arrived',
  carried: 'left by rounding, for the next one',
  float: 'not used yet',
};
