const units: Readonly<Record<string, readonly [name: string, length: number]>> = {
  m: ['minute', 60_000],
  h: ['hour', 3_600_000],
  d: ['day', 86_400_000],
};

function parts(interval: string): { count: number; name: string; length: number } | null {
  const [, count, unit] = /^([1-9]\d{0,3})([mhd])$/.exec(interval) ?? [];
  const [name, length] = units[unit ?? ''] ?? [];
  return count && name && length ? { count: Number(count), name, length } : null;
}

/** Returns a duration such as 24h in words. Any other text stays as it is. */
export function lasting(duration: string): string {
  const read = parts(duration);
  return read ? `${read.count} ${read.name}${read.count === 1 ? '' : 's'}` : duration;
}

/** Returns an interval of distributions in words. The text decides instead of the list of intervals. */
export const every = (interval: string): string =>
  `every ${lasting(interval === '24h' ? '1d' : interval).replace(/^1 /, '')}`;

/** Returns the start of the next distribution: the next boundary of its interval, counted from the Unix epoch. */
export function nextSlot(interval: string, now: number): string {
  const read = parts(interval);
  if (!read) throw new Error(`${interval} is no interval`);
  const length = read.count * read.length;
  return new Date((Math.floor(now / length) + 1) * length).toISOString();
}
