import type { Schemas } from 'tokenlaunch/api';
import type { Wrong } from '../../form/document';
import { reading } from '../../form/reading';
import { isAddress } from '../../ui/address';
import { units } from '../../ui/entered';

/** The typed values of a lock. */
export interface Typed {
  readonly tokenAmount: string;
  /** '' means the creator's own wallet. */
  readonly recipient: string;
  /** In the visitor's time zone and the browser's format: 2026-11-25T18:00. */
  readonly firstReleaseAt: string;
  readonly releases: string;
  /** The number of `unit`s between two releases. */
  readonly period: string;
  /** In seconds. */
  readonly unit: string;
}

export const atFirst = {
  tokenAmount: '',
  recipient: '',
  firstReleaseAt: '',
  releases: '1',
  period: '30',
  unit: '86400',
} satisfies Typed;

/** Bounds of a lock, from the API's document. */
const SOONEST = 60_000;
const LONGEST = 10 * 365 * 86_400_000;
const MAX_RELEASES = 1000;
const LONGEST_PERIOD = 365 * 86_400;

/** Parses a whole number from 1 to `most`. Throws a sentence. */
function whole(text: string, most: number): number {
  const value = /^\d{1,9}$/.test(text.trim()) ? Number(text) : 0;
  if (value < 1 || value > most) throw new Error(`Enter a whole number from 1 to ${most}.`);
  return value;
}

/** Returns the body of the call, and the errors by the names of the API's fields. */
export function bodyOf(
  typed: Typed,
  decimals: number,
  now: number,
): { body: Partial<Schemas['TokenLock']>; wrong: Wrong } {
  const { read, wrong } = reading();
  const releases = read('releases', () => whole(typed.releases, MAX_RELEASES));
  const parts = releases ?? 1;
  const periodSeconds =
    parts > 1
      ? read('periodSeconds', () => {
          const unit = Number(typed.unit);
          return whole(typed.period, Math.floor(LONGEST_PERIOD / unit)) * unit;
        })
      : undefined;
  const body = {
    tokenAmount: read('tokenAmount', () => units(typed.tokenAmount, decimals, 1n)),
    firstReleaseAt: read('firstReleaseAt', () => {
      const at = Date.parse(typed.firstReleaseAt);
      if (!(at >= now + SOONEST && at <= now + LONGEST))
        throw new Error('Enter a time at least a minute from now, and within ten years.');
      return new Date(at).toISOString();
    }),
    releases,
    periodSeconds,
    recipient: typed.recipient.trim() || undefined,
  };
  if (body.recipient && !isAddress(body.recipient))
    wrong.recipient = 'Not a valid address: 32 to 44 letters and digits.';
  if (
    body.firstReleaseAt &&
    periodSeconds &&
    Date.parse(lastOf(body.firstReleaseAt, parts, periodSeconds)) > now + LONGEST
  )
    wrong.periodSeconds = 'The last release must be within ten years.';
  return { body: body as Partial<Schemas['TokenLock']>, wrong };
}

/** Returns the time of the last release. */
export const lastOf = (first: string, releases: number, periodSeconds: number): string =>
  new Date(Date.parse(first) + (releases - 1) * periodSeconds * 1000).toISOString();
