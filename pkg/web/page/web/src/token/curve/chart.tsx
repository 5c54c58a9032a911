import type { Schemas } from 'tokenlaunch/api';
import { type Asset, brief } from '../asset';
import { useWidth } from '../width';
import { drawing } from './line';
import { lot, lotPrice } from './price';

/** Sizes in pixels, with room for words below and above. */
const HEIGHT = 240;
const TOP = 26;
const BOTTOM = 26;

type Curve = Schemas['Curve'];

/** Price against sold tokens, from the start to the target, with the present point. */
export function CurveChart(props: { curve: Curve; own: Asset }) {
  const { curve, own } = props;
  const [box, width] = useWidth<HTMLDivElement>();
  const d = drawing(curve, own.decimals ?? 0);
  const inner = HEIGHT - TOP - BOTTOM;
  const x = (part: number) => 8 + part * (width - 16);
  const y = (part: number) => TOP + (1 - part) * inner;
  const path = (points: Drawn) => points.map(([a, b]) => `${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join(' L');
  const done = [...d.points.filter(([a]) => a < d.now[0]), d.now];
  const { zeros, name } = lot(curve.curveParameters.startPrice);
  const price = (text: string) => `${lotPrice(text, zeros, 4)} SOL`;
  const [nowX, nowY] = [x(d.now[0]), y(d.now[1])];
  const left = d.now[0] < 0.55;
  return (
    <div class="curve-box" ref={box}>
      <svg class="curve" width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
        <path class="sold" d={`M${x(0)} ${y(0)} L${path(done)} L${nowX.toFixed(1)} ${y(0)} Z`} />
        <path class="base" d={`M${x(0)} ${y(0)} H${x(1)}`} />
        <path class="line" d={`M${path(d.points)}`} />
        <path class="mark" d={`M${x(d.target[0])} ${y(0)} V${y(d.target[1])}`} />
        <circle class="now" cx={nowX} cy={nowY} r={6} />
        <text x={left ? nowX + 10 : nowX - 10} y={nowY - 10} text-anchor={left ? 'start' : 'end'}>
          now {price(curve.currentPrice)}
        </text>
        <text x={x(1)} y={16} text-anchor="end">
          target {price(curve.curveParameters.endPrice)}
        </text>
        <text class="axis" x={x(0)} y={HEIGHT - 8}>
          0 sold
        </text>
        <text class="axis" x={x(1)} y={HEIGHT - 8} text-anchor="end">
          {brief(own, d.soldAtTarget)} sold
        </text>
      </svg>
      <p class="faint">
        Prices are for {name} {own.name}. The first was {price(curve.curveParameters.startPrice)}; it rises
        with every purchase and falls with every sale. At the target it is{' '}
        {price(curve.curveParameters.endPrice)}.
      </p>
    </div>
  );
}

type Drawn = readonly (readonly [number, number])[];
