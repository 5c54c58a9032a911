/** A client of the token launch service: what ten lines need. */
export { type CallOptions, Problem, type Retry, type Schemas, type Session } from './api/index.js';
export {
  Client,
  type Hooks,
  type Options,
  type Order,
  PendingError,
  type Sent,
  type TaxedOptions,
} from './client.js';
export { type Submission, UnknownOutcomeError } from './launch/submit.js';
export {
  type KitSigner,
  keySigner,
  kitSigner,
  type Signer,
  type StandardAccount,
  type StandardWallet,
  TransactionMismatchError,
  WalletChanged,
  walletSigner,
} from './sign/index.js';
