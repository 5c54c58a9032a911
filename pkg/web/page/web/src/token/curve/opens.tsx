import type { Schemas } from 'tokenlaunch/api';
import { moment, useNow } from '../../ui/clock';

type Curve = Pick<Schemas['Curve'], 'status' | 'startsAt'>;

/** Returns whether a curve does not trade yet. */
export const opensLater = (curve: Pick<Curve, 'startsAt'>, now: number): boolean =>
  curve.startsAt !== null && Date.parse(curve.startsAt) > now;

/** Returns the opening time of a curve in words; null after the opening, or if the curve never opens. */
export const opening = (curve: Curve, now: number): string | null =>
  curve.status === 'active' && curve.startsAt && opensLater(curve, now)
    ? `Opens ${moment(curve.startsAt)}. Until then, it takes no trades.`
    : null;

/** The opening time as a line of a list, until the opening. */
export function Opening(props: { curve: Curve }) {
  const text = opening(props.curve, useNow());
  return text ? <p class="faint">{text}</p> : null;
}
