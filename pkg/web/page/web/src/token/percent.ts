/** Basis points of a percentage of the API, which has two decimals at most. */
export const basisPoints = (percent: number): number => Math.round(percent * 100);

/** Writes basis points as a percentage: 250 is "2.5%". */
export function percent(points: number): string {
  const rest = (points % 100).toString().padStart(2, '0').replace(/0+$/, '');
  return `${Math.floor(points / 100)}${rest ? `.${rest}` : ''}%`;
}
