/**
 * Verifies the proofs of distributions: recomputes who gets what from the balances, accounts for
 * every unit, ties all of it to what the distribution wallet has signed, and asks a node what
 * landed. It runs in browsers and in Node, and does not trust the service, its files or a gateway.
 */

export type { Anchor } from './anchor.js';
export { type Attestation, checkAttestation } from './attest.js';
export { Fault, NoFile, Stopped, said, Unreachable } from './fault.js';
export { type Extension, MAX_FILE, type Source } from './files.js';
export { type Found, findHolder, type Holder, type Step } from './find.js';
export { type HandoverOrder, handoverText } from './handover.js';
export { atMost } from './limit.js';
export type { Manifest } from './manifest.js';
export { Memory } from './memory.js';
export { Node } from './node.js';
export type { Chain } from './onchain.js';
export { type Ordered, orderText } from './order.js';
export {
  type Check,
  type CheckName,
  LIMITS,
  type LimitName,
  type Report,
  type Tally,
  type Verdict,
} from './report.js';
export { HttpSource, placesOf } from './source.js';
export { type Order, type Progress, verify } from './verify.js';
