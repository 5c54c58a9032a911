import type { Schemas } from 'tokenlaunch/api';
import type { Wrong } from '../../form/document';
import { reading } from '../../form/reading';
import { isAddress } from '../../ui/address';

export type Handover = Schemas['Handover'];

/** The typed values of an order. */
export interface Typed {
  readonly newAuthority: string;
  /** In the visitor's time zone and the browser's format: 2026-11-25T18:00. */
  readonly effectiveAt: string;
}

export const atFirst = { newAuthority: '', effectiveAt: '' } satisfies Typed;

/** The body of the call, without the signature. */
export type Unsigned = Omit<Schemas['HandoverOrder'], 'signature'>;

/** The longest time after the delay, from the API's document. */
const LONGEST = 90 * 86_400_000;

/** Returns a delay in seconds as "7 days" or "24 hours". */
export const delay = (seconds: number): string => {
  const [count, unit] =
    seconds % 86_400 === 0
      ? [seconds / 86_400, 'day']
      : seconds % 3600 === 0
        ? [seconds / 3600, 'hour']
        : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
};

/** Returns the order, and the errors by the names of the API's fields. */
export function bodyOf(
  typed: Typed,
  now: number,
  { number, delaySeconds }: Pick<Handover, 'number' | 'delaySeconds'>,
): { body: Partial<Unsigned>; wrong: Wrong } {
  const { read, wrong } = reading();
  const soonest = now + delaySeconds * 1000;
  const body = {
    number: number + 1,
    newAuthority: read('newAuthority', () => {
      const given = typed.newAuthority.trim();
      if (!isAddress(given)) throw new Error('Not a valid address: 32 to 44 letters and digits.');
      return given;
    }),
    effectiveAt: read('effectiveAt', () => {
      const at = Date.parse(typed.effectiveAt);
      if (!(at >= soonest && at <= soonest + LONGEST))
        throw new Error(
          `Enter a time at least ${delay(delaySeconds)} from now, and 90 days after that at most.`,
        );
      return new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z');
    }),
  };
  return { body: body as Partial<Unsigned>, wrong };
}
