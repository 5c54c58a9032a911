/** What came of a verification. Names and verdicts are those of the command line's report. */
import type { Anchor } from './anchor.js';
import { Fault, NoFile, Unreachable } from './fault.js';
import type { Manifest } from './manifest.js';

/** How far what a check says is shown. */
export type Verdict =
  /** The node that was asked shows it. */
  | 'proven on the chain'
  /** The files show it, among each other and with the anchor's signature. */
  | 'proven from the files'
  /** Only the service states it. */
  | 'taken on trust'
  /** It could be shown, and was not checked. */
  | 'not checked'
  /** This verifier cannot judge it, because the proof names a later list of trusted programs. */
  | 'too new'
  | 'FAILED';

/** The checks by their names, in their order. */
export type CheckName =
  | 'anchor'
  | 'manifest'
  | 'asked for'
  | "anchor's accounts"
  | 'run'
  | 'snapshot'
  | 'split'
  | 'division'
  | 'conservation'
  | 'undecided'
  | 'adjustment'
  | 'burns'
  | 'receipts'
  | 'settings'
  | 'creators'
  | 'run before'
  | 'spendable'
  | 'late payments'
  | 'transactions'
  | 'rows'
  | 'held before'
  | 'chain'
  | 'wallet on chain'
  | 'anchor on chain'
  | 'history'
  | 'transactions on chain'
  | 'books on chain'
  | 'market'
  | 'rotation'
  | 'anchors'
  | 'later anchors'
  | 'holders on chain'
  | 'launch'
  | LimitName;

/** What a proof does not show, however good it is. */
export type LimitName = 'price' | 'left out' | 'costs' | 'worth paying';

/** One thing that was checked. */
export interface Check {
  readonly name: CheckName;
  readonly verdict: Verdict;
  /** What was seen, or what does not hold. */
  readonly detail: string;
  /** It failed for a file that is not there. */
  readonly missing?: boolean;
}

/** What a proof does not show, however good it is. */
export const LIMITS: readonly (Check & { readonly name: LimitName })[] = [
  {
    name: 'price',
    verdict: 'taken on trust',
    detail: 'that an exchange got the best price: the chain shows only what it brought',
  },
  {
    name: 'left out',
    verdict: 'taken on trust',
    detail:
      'that the owners who are left out are what their reason says, except for a balance that does not count and an address off the curve; anyone can look at their accounts',
  },
  {
    name: 'costs',
    verdict: 'taken on trust',
    detail:
      "that what was kept for the wallet's own costs was needed, and its fees were no higher than they had to be: the maker of a block earns them",
  },
  {
    name: 'worth paying',
    verdict: 'taken on trust',
    detail: 'that the limit for what is worth paying is the right one: it is the same for all',
  },
];

/** A number of owners, and what they have together. */
export interface Tally {
  readonly owners: bigint;
  readonly balance: bigint;
}

type Good = 'proven from the files' | 'proven on the chain';

/** What came of a verification. */
export class Report {
  anchor: Anchor | null = null;
  /** Null when it could not be read. */
  manifest: Manifest | null = null;
  readonly checks: Check[] = [];
  /**
   * The owners who are left out for a reason that only the service states, such as program_owned; null
   * if the rows were not checked.
   */
  leftOnTrust: Tally | null = null;
  /** Why a file could not be reached; null when all were. */
  unreachable: Unreachable | null = null;

  /**
   * Makes a check; true when it holds, or is too new. A file that cannot be reached is "not checked".
   * What else is no fault of the proof is thrown on.
   * `newer` is the reason why only a newer verifier can judge what did not fail; empty for any verifier.
   */
  async note(
    name: CheckName,
    check: () => string | Promise<string>,
    good: Good = 'proven from the files',
    newer: () => string = () => '',
  ): Promise<boolean> {
    try {
      const detail = await check();
      const why = newer();
      this.checks.push(why ? { name, verdict: 'too new', detail: why } : { name, verdict: good, detail });
      return true;
    } catch (cause) {
      if (cause instanceof Unreachable && good === 'proven from the files') {
        this.unreachable ??= cause;
        this.skip(name, cause.message);
        return false;
      }
      if (!(cause instanceof Fault)) throw cause;
      const missing = cause instanceof NoFile;
      this.checks.push({ name, verdict: 'FAILED', detail: cause.message, ...(missing ? { missing } : {}) });
      return false;
    }
  }

  /** Adds what was not checked. */
  skip(name: CheckName, why: string): void {
    this.checks.push({ name, verdict: 'not checked', detail: why });
  }

  /** Adds what only the service says. */
  trust(name: CheckName, what: string): void {
    this.checks.push({ name, verdict: 'taken on trust', detail: what });
  }

  /** Whether nothing has failed or is too new, and the proof was there to be checked. */
  get ok(): boolean {
    return this.manifest !== null && !this.unreachable && !this.has('FAILED') && !this.has('too new');
  }

  /** Whether only a newer verifier can judge the proof, which neither holds nor is refuted. */
  get tooNew(): boolean {
    return this.has('too new') && !this.has('FAILED');
  }

  /** Whether something does not hold. */
  get refuted(): boolean {
    return this.has('FAILED');
  }

  /**
   * A sentence with the number of `leftOnTrust` and their share of the supply, rounded up to a
   * hundredth of a percent; empty if `leftOnTrust` is null.
   */
  get leftOnTrustWords(): string {
    if (!this.leftOnTrust) return '';
    const { owners, balance } = this.leftOnTrust;
    if (owners === 0n) return "No owner is left out on the service's word.";
    const supply = this.manifest?.snapshot.supply || 1n;
    const parts = (balance * 10_000n + supply - 1n) / supply;
    const share = `${parts / 100n}.${String(parts % 100n).padStart(2, '0')} % of the supply`;
    return owners === 1n
      ? `1 owner with ${share} is left out on the service's word.`
      : `${owners} owners with ${share} are left out on the service's word.`;
  }

  private has(verdict: Verdict): boolean {
    return this.checks.some((c) => c.verdict === verdict);
  }

  /**
   * Whether the histories were walked, so that nothing that the wallet did is left out; nothing is
   * undecided or explained by the service's word; and nothing that could be shown was left unchecked.
   */
  get complete(): boolean {
    return (
      this.ok &&
      this.checks.some((c) => c.name === 'history' && c.verdict === 'proven on the chain') &&
      this.checks.every(
        (c) => c.name !== 'undecided' && c.name !== 'adjustment' && c.verdict !== 'not checked',
      )
    );
  }
}
