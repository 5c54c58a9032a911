import { hour, moment } from '../ui/clock';

const MINUTE = 60_000;

/** Returns a time span in minutes and hours. */
export function within(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / MINUTE);
  if (minutes <= 1) return 'in less than a minute';
  if (minutes < 60) return `in ${minutes} min`;
  return `in ${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** Returns a future time, such as "14:00 (in 23 min)", with the day if the day is not today. */
export function from(time: string, now: number): string {
  const at = new Date(time);
  const today = at.toDateString() === new Date(now).toDateString();
  const text = today ? hour(time) : moment(time);
  return at.getTime() > now ? `${text} (${within(at.getTime() - now)})` : text;
}
