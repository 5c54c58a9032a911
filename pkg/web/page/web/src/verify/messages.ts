/** The messages between the page and the verifying worker. */
import type { Check, Holder, Manifest, Progress } from 'tokenlaunch/proof';

/** A verification job. */
export interface Job {
  /** The link of the anchor, next to the other files, and its content ID. */
  readonly link: string;
  readonly anchor: string;
  /** The address of the service's files, with {cid} and {extension}; empty for no address. */
  readonly proofUrl: string;
  readonly asked: { readonly mint: string; readonly runId: string };
  /** The node for the checks; empty for no node. */
  readonly rpcUrl: string;
  /** The keys that are accepted as markets. */
  readonly markets: readonly string[];
}

/** The outcome of a verification. */
export interface Outcome {
  readonly ok: boolean;
  /** The histories were read completely. */
  readonly complete: boolean;
  /** How many owners are left out on the service's word, in a sentence. */
  readonly leftOut: string;
  readonly checks: readonly Check[];
  readonly manifest: Manifest | null;
  /** The root in the memo, in hex. */
  readonly root: string;
  readonly files: number;
  readonly bytes: number;
  readonly milliseconds: number;
}

/** The page's requests. */
export type Request =
  | { readonly kind: 'verify'; readonly job: Job }
  | { readonly kind: 'find'; readonly wallet: string };

/** The worker's responses: `stopped` means that nothing can be said, `refused` that a request was wrong. */
export type Answer =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'holder'; readonly holder: Holder }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'stopped'; readonly why: string };
