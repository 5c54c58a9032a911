import { percent } from '../../ui/percent';
import type { Shares } from './shares';

/** Heights of the picture's bands, in pixels. */
const BAR = 44;
const GAP = 46;
/** The height of the picture at any width. */
export const HEIGHT = 3 * BAR + 2 * GAP;

interface Part {
  readonly name: string;
  readonly points: number;
  readonly class: string;
}

/** Returns the positions and widths of parts in a bar, by their shares. */
export function cut(
  parts: readonly Part[],
  width: number,
  from = 0,
): readonly (Part & { x: number; w: number })[] {
  const all = parts.reduce((sum, p) => sum + p.points, 0);
  let x = from;
  return parts
    .filter((p) => p.points > 0)
    .map((p) => {
      const w = (width * p.points) / all;
      x += w;
      return { ...p, x: x - w, w };
    });
}

/** A bar's part with its name, if there is room. */
function Block(props: { part: Part & { x: number; w: number }; y: number }) {
  const { part, y } = props;
  const text = `${part.name} ${percent(part.points)}`;
  const short = percent(part.points);
  const room = part.w - 12;
  const shown = room > text.length * 7.6 ? text : room > short.length * 7.6 ? short : '';
  return (
    <g class={`flow-${part.class}`}>
      <rect x={part.x} y={y} width={Math.max(part.w, 2)} height={BAR} rx={3} />
      {shown ? (
        <text x={part.x + part.w / 2} y={y + BAR / 2} dominant-baseline="central" text-anchor="middle">
          {shown}
        </text>
      ) : null}
    </g>
  );
}

/** The flow from a section of a bar into a section of the next bar. */
function Stream(props: { from: [number, number]; to: [number, number]; y: number; kind: string }) {
  const { from, to, y, kind } = props;
  const [a, b] = [y, y + GAP];
  const m = (a + b) / 2;
  const d =
    `M${from[0]} ${a} C${from[0]} ${m} ${to[0]} ${m} ${to[0]} ${b} ` +
    `L${to[1]} ${b} C${to[1]} ${m} ${from[1]} ${m} ${from[1]} ${a} Z`;
  return <path class={`stream flow-${kind}`} d={d} />;
}

/**
 * A transfer, its tax, and the uses of the tax, drawn to scale. The second bar is the enlarged tax.
 * The sentences next to the picture have the same content.
 */
export function FlowPicture(props: { shares: Shares; reward: string; own: boolean; width: number }) {
  const { shares: s, width } = props;
  const [one, two, three] = [0, BAR + GAP, 2 * (BAR + GAP)];
  const transfer = cut(
    [
      { name: 'Arrives', points: 10_000 - s.tax, class: 'arrives' },
      { name: 'Tax', points: s.tax, class: 'tax' },
    ],
    width,
  );
  const used = cut(
    [
      { name: 'Burned', points: s.burn, class: 'burn' },
      {
        name: props.own ? 'Paid out' : `Sold for ${props.reward}`,
        points: s.creator + s.holders,
        class: 'sell',
      },
    ],
    width,
  );
  const sold = used.find((p) => p.class === 'sell');
  const paid = sold
    ? cut(
        [
          { name: 'Creator', points: s.creator, class: 'creator' },
          { name: 'Holders', points: s.holders, class: 'holders' },
        ],
        sold.w,
        sold.x,
      )
    : [];
  const tax = transfer.find((p) => p.class === 'tax');
  return (
    <svg class="flow" width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
      {tax ? <Stream from={[tax.x, tax.x + Math.max(tax.w, 2)]} to={[0, width]} y={BAR} kind="tax" /> : null}
      {tax ? (
        <text class="caption" x={width - 8} y={BAR + GAP / 2} dominant-baseline="central" text-anchor="end">
          Tax {percent(s.tax)}, enlarged
        </text>
      ) : null}
      {transfer.map((part) => (
        <Block part={part} y={one} key={part.class} />
      ))}
      {used.map((part) => (
        <Block part={part} y={two} key={part.class} />
      ))}
      {paid.map((part) => (
        <Stream
          from={[part.x, part.x + part.w]}
          to={[part.x, part.x + part.w]}
          y={two + BAR}
          kind={part.class}
          key={part.class}
        />
      ))}
      {paid.map((part) => (
        <Block part={part} y={three} key={part.class} />
      ))}
    </svg>
  );
}
