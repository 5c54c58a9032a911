/** Compares a transaction of the service with the request, before a wallet signs it. */
export { changes, LIGHTHOUSE, MAX_PRIORITY_FEE, WalletChanged } from './change.js';
export {
  type Asked,
  type Creation,
  type CurveCreation,
  check,
  type Given,
  type PoolCreation,
  type Trade,
} from './check.js';
export { type Offer, TransactionMismatchError } from './compare.js';
export { type Instruction, parse, signed, type Transaction } from './message.js';
export { type Described, launchedWith, metadata } from './metadata.js';
export { type SettingsText, settingsText, type Versioned } from './order.js';
export { checkSigned, type Fresh, renewed, type Signed, sameAgain } from './renew.js';
export {
  type KitSigner,
  keySigner,
  kitSigner,
  type Signer,
  type StandardAccount,
  type StandardWallet,
  walletSigner,
} from './signer.js';
export type { Agreement } from './text.js';
