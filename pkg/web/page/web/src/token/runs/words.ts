import type { Schemas } from 'tokenlaunch/api';

type Status = Schemas['RunSummary']['status'];
type Step = Schemas['RunStep']['step'];
type Entry = Schemas['StatementEntry']['name'];

/** The statuses of a distribution, in words. */
export const statusWords: Readonly<Record<Status, string>> = {
  opened: 'Starting',
  collecting: 'Collecting tax',
  snapshotting: 'Counting holdings',
  burning: 'Burning',
  exchanging: 'Selling',
  paying: 'Paying holders',
  settled: 'Done',
  skipped: 'Nothing paid out',
  failed: 'Stopped',
};

/** Returns whether a distribution is still active. */
export const atWork = (status: Status): boolean =>
  status !== 'settled' && status !== 'skipped' && status !== 'failed';

/**
 * The reasons of skipped and failed distributions, in words for holders. The API's own detail is
 * next to the reason.
 */
export const reasonWords: Readonly<{ [code: string]: string }> = {
  paused: 'Paused by the creator. Tax is still collected.',
  nothing_to_distribute: 'No tax had come in.',
  no_market: 'There was no market to sell the tax on. It is kept for next time.',
  below_cost: 'The tax was worth less than paying it out would cost. It is kept for next time.',
  wallet_too_low: 'The distribution wallet is low on SOL for network fees. Nothing is lost; it waits.',
  no_holders: 'No wallet held the minimum.',
  unsupported_reward_token: 'The reward token can no longer be paid out. The creator must choose another.',
  snapshot_does_not_add_up: 'Holdings did not add up to the supply, so nothing was paid.',
  books_do_not_balance: 'The books did not match the chain. Payments stop until an operator has reviewed it.',
  frozen: 'The ledger did not match the chain. Payments stop until an operator has reviewed it.',
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
  deposits: 'deposited by others',
  proceeds: 'proceeds of the sale',
  fuel: 'bought for network fees',
  returned: 'rent returned',
  receiptsReturned: 'returned by payment receipts',
  burned: 'burned',
  sold: 'sold for the reward',
  fuelSold: 'sold for network fees',
  creator: 'to the creator',
  holders: 'to holders',
  taxOnSending: 'tax on sending',
  fees: 'network fees',
  rent: 'rent for new accounts',
  receiptsLent: 'lent to payment receipts, to be returned',
  undecided: 'in a transaction whose outcome is open',
  adjustment: 'adjusted by the service, with its reason',
  owed: 'owed to holders and the creator',
  reserved: 'sent, not yet confirmed',
  carried: 'left by rounding, for next time',
  float: 'not used yet',
};
