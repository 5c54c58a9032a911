/** Milliseconds by which this device's clock is ahead of the service's; what is small is not known exactly. */
let ahead = 0;
const SMALL = 5_000;

/** Learns from the Date of an answer, so that a wrong clock does not end a transaction's time. */
export function noteDate(date: string | null): void {
  const time = Date.parse(date ?? '');
  if (Number.isNaN(time)) return;
  const difference = Date.now() - time;
  ahead = Math.abs(difference) < SMALL ? 0 : difference;
}

/** The service's time for a time of this device, in milliseconds. */
export const serviceNow = (now = Date.now()): number => now - ahead;
