/** What the page and the worker that verifies tell each other. */
import type { Check, Holder, Manifest, Progress } from 'tokenlaunch/proof';

/** What to verify. */
export interface Job {
  /** The link of the anchor, with the other files beside it, and its content id. */
  readonly link: string;
  readonly anchor: string;
  /** Where the service keeps its files, with {cid} and {extension}; empty for nowhere. */
  readonly proofUrl: string;
  readonly asked: { readonly mint: string; readonly runId: string };
  /** The node to ask; empty for none. */
  readonly rpcUrl: string;
  /** The keys that are taken for markets. */
  readonly markets: readonly string[];
}

/** What came of it. */
export interface Outcome {
  readonly ok: boolean;
  /** The histories were walked, and nothing is left out. */
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

/** What the page asks for. */
export type Request =
  | { readonly kind: 'verify'; readonly job: Job }
  | { readonly kind: 'find'; readonly wallet: string };

/** What the worker answers: `stopped` is that nothing can be said, `refused` that a question was wrong. */
export type Answer =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'holder'; readonly holder: Holder }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'stopped'; readonly why: string };
