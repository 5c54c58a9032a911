/** A client of the token launch service: what ten lines need. */
export { type CallOptions, Problem, type Retry, type Schemas, type Session } from './api/index.js';
export {
  Client,
  type Hooks,
  type Options,
  type Order,
  type Sent,
  type TaxedOptions,
  Unsettled,
} from './client.js';
export { type Submission, Uncertain } from './launch/submit.js';
export {
  type KitSigner,
  keySigner,
  kitSigner,
  NotAsAsked,
  type Signer,
  type StandardAccount,
  type StandardWallet,
  WalletChanged,
  walletSigner,
} from './sign/index.js';
