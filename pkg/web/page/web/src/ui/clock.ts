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

/** Returns how long ago a time was, rounded down: "7 minutes ago", or "just now" within a minute. */
export function ago(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'just now';
  const [count, unit] =
    minutes < 60
      ? [minutes, 'minute']
      : minutes < 48 * 60
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.floor(minutes / 1440), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

/**
 * The page's words are English, so its dates are, too, whatever the browser's language: 02/03 is
 * two days. The zone is the reader's, and is named, because distributions go by UTC.
 */
const DATES = 'en-GB';
const zoned = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const;
const form = new Intl.DateTimeFormat(DATES, { day: 'numeric', month: 'short', year: 'numeric', ...zoned });
const daily = new Intl.DateTimeFormat(DATES, zoned);

/** Returns a time of the API in the reader's time zone, such as "2 Mar 2026, 14:00 UTC". */
export const moment = (time: string): string => form.format(new Date(time));

/** Returns the time of a day in the reader's time zone, such as "14:00 UTC". */
export const hour = (time: string): string => daily.format(new Date(time));

const axis = new Intl.DateTimeFormat(DATES, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** Returns a short time for a chart, without year and zone. */
export const tickTime = (time: string | number): string => axis.format(new Date(time));

const dayForm = new Intl.DateTimeFormat(DATES, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Returns a day in UTC, such as "2 Mar", of a day or time of the API. */
export const utcDay = (day: string): string => dayForm.format(new Date(day));
