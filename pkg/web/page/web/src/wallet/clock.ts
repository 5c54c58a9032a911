/**
 * Milliseconds by which this device's clock is ahead of the service's clock. A small difference is
 * not known exactly.
 */
let ahead = 0;
const SMALL = 5_000;

/** Learns the difference from the Date of a response, so that a wrong clock does not expire a transaction early. */
export function noteDate(date: string | null): void {
  const time = Date.parse(date ?? '');
  if (Number.isNaN(time)) return;
  const difference = Date.now() - time;
  ahead = Math.abs(difference) < SMALL ? 0 : difference;
}

/** Returns the service's time for a time of this device, in milliseconds. */
export const serviceNow = (now = Date.now()): number => now - ahead;
