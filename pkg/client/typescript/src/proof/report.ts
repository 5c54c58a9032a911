/** What came of a verification. Names and verdicts are those of the command line's report. */
import type { Anchor } from './anchor.js';
import { Fault, NoFile } from './fault.js';
import type { Manifest } from './manifest.js';

/** What came of one check; "not checked" is neither good nor bad. */
export type Verdict = 'ok' | 'FAILED' | 'not checked';

/** The checks by their names, in their order. */
export type CheckName =
  | 'anchor'
  | 'manifest'
  | 'asked for'
  | 'run'
  | 'snapshot'
  | 'split'
  | 'division'
  | 'conservation'
  | 'undecided'
  | 'adjustment'
  | 'receipts'
  | 'run before'
  | 'transactions'
  | 'rows'
  | 'nothing else'
  | 'chain'
  | 'wallet on chain'
  | 'anchor on chain'
  | 'transactions on chain';

/** One thing that was looked at. */
export interface Check {
  readonly name: CheckName;
  readonly verdict: Verdict;
  /** What was seen, or what does not hold. */
  readonly detail: string;
  /** It failed for a file that is not there. */
  readonly missing?: boolean;
}

/** What came of a verification. */
export class Report {
  anchor: Anchor | null = null;
  /** Null when it could not be read. */
  manifest: Manifest | null = null;
  readonly checks: Check[] = [];

  /** Makes a check; true when it holds. What is no fault of the proof is thrown on. */
  async note(name: CheckName, check: () => string | Promise<string>): Promise<boolean> {
    try {
      this.checks.push({ name, verdict: 'ok', detail: await check() });
      return true;
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause;
      const missing = cause instanceof NoFile;
      this.checks.push({ name, verdict: 'FAILED', detail: cause.message, ...(missing ? { missing } : {}) });
      return false;
    }
  }

  skip(name: CheckName, why: string): void {
    this.checks.push({ name, verdict: 'not checked', detail: why });
  }

  /** Whether nothing has failed, and the proof was there to be checked. */
  get ok(): boolean {
    return this.manifest !== null && this.checks.every((c) => c.verdict !== 'FAILED');
  }
}
