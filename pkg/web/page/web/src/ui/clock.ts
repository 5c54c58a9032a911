import { useEffect, useState } from 'preact/hooks';

/** Returns the time in milliseconds, updated each second. */
export function useNow(): number {
  const [now, set] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => set(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Returns a time span in milliseconds as "4:05" or "2 h 07 min"; "0:00" after the end. */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h} h ${String(m).padStart(2, '0')} min` : `${m}:${String(s).padStart(2, '0')}`;
}

/** Returns a wait in milliseconds as "40 seconds", "27 minutes" or "2 hours", rounded up, so never too short. */
export function inWords(milliseconds: number): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  const [count, unit] =
    seconds < 60
      ? [seconds, 'second']
      : seconds <= 59 * 60
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3600), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const form = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Returns a time of the API in the reader's time zone. */
export const moment = (time: string): string => form.format(new Date(time));
