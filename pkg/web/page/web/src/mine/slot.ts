const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000 };

/** When the next distribution begins: at the next boundary of its interval, counted from midnight UTC. */
export function nextSlot(interval: string, now: number): string {
  const [, count, unit] = /^(\d+)([mh])$/.exec(interval) ?? [];
  const length = Number(count) * (units[unit ?? ''] ?? Number.NaN);
  if (!(length > 0)) throw new Error(`${interval} is no interval`);
  return new Date((Math.floor(now / length) + 1) * length).toISOString();
}
