/** Returns the basis points of an API percentage, which has at most two decimals. */
export const basisPoints = (percent: number): number => Math.round(percent * 100);

/** Returns basis points as a percentage: 250 is "2.5%". */
export function percent(points: number): string {
  const rest = (points % 100).toString().padStart(2, '0').replace(/0+$/, '');
  return `${Math.floor(points / 100)}${rest ? `.${rest}` : ''}%`;
}
