import type { Schemas } from 'tokenlaunch/api';
import { moment, useNow } from '../../ui/clock';

type Curve = Pick<Schemas['Curve'], 'status' | 'startsAt'>;

/** Whether a curve takes no trades yet. */
export const opensLater = (curve: Pick<Curve, 'startsAt'>, now: number): boolean =>
  curve.startsAt !== null && Date.parse(curve.startsAt) > now;

/** When a curve opens, in words; null once it has, or never will. */
export const opening = (curve: Curve, now: number): string | null =>
  curve.status === 'active' && curve.startsAt && opensLater(curve, now)
    ? `Opens ${moment(curve.startsAt)}. Until then, it takes no trades.`
    : null;

/** The same as a line of a list, until it has opened. */
export function Opening(props: { curve: Curve }) {
  const text = opening(props.curve, useNow());
  return text ? <p class="faint">{text}</p> : null;
}
