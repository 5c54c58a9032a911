import { useState } from 'preact/hooks';
import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../../api/client';
import { useLoad } from '../../api/load';
import { usePages } from '../../api/pages';
import { short } from '../../ui/amount';
import { moment } from '../../ui/clock';
import { Loaded, Older } from '../../ui/parts';
import { useRound } from '../../ui/poll';
import { type Asset, assetOf, brief } from '../asset';
import { Look, Transaction } from '../parts';
import { useWidth } from '../width';
import {
  type Candle,
  change,
  drawing,
  INTERVALS,
  type Interval,
  intervalFor,
  readCandles,
  told,
} from './candles';
import { digits, lot, lotPrice } from './price';

/** Sizes in pixels: prices above, volumes below, and words at the right. */
const PRICES = 190;
const VOLUMES = 44;
const RIGHT = 64;
const STEP = { least: 7, most: 22 };
const HEIGHT = PRICES + VOLUMES;

/** The price over time: a hollow candle rises, a filled candle falls. The volumes are below. */
function Chart(props: { candles: readonly Candle[]; own: Asset }) {
  const { own } = props;
  const [box, width] = useWidth<HTMLDivElement>();
  const [at, setAt] = useState<number | null>(null);
  const room = width - RIGHT;
  const candles = props.candles.slice(0, Math.max(1, Math.floor(room / STEP.least))).reverse();
  const d = drawing(candles);
  const step = Math.min(STEP.most, room / candles.length);
  const x = (i: number) => room - (candles.length - i - 0.5) * step;
  const y = (part: number) => (1 - part) * PRICES;
  const { zeros, name } = lot(candles.at(-1)?.close ?? '0');
  const last = candles.length - 1;
  const shown = Math.min(at ?? last, last);
  const one = candles[shown];
  const text = one ? told(one, zeros) : '';
  const wide = Math.max(1, step * 0.64);
  return (
    <div ref={box}>
      <svg
        class="candles"
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        aria-hidden="true"
        onPointerMove={(e) => {
          const left = e.clientX - e.currentTarget.getBoundingClientRect().left;
          setAt(Math.max(0, Math.min(last, Math.floor((left - (room - candles.length * step)) / step))));
        }}
        onPointerLeave={() => setAt(null)}
      >
        {d.marks.map(([height, price]) => (
          <g key={height}>
            <path class="grid" d={`M0 ${y(height).toFixed(1)} H${room}`} />
            <text x={room + 8} y={y(height) + 4}>
              {Number((price * 10 ** zeros).toPrecision(4))}
            </text>
          </g>
        ))}
        <rect class="at" x={x(shown) - step / 2} y={0} width={step} height={HEIGHT} />
        {d.candles.map((c, i) => (
          <g key={candles[i]?.time} class={c.rises ? 'rises' : 'falls'}>
            <path class="wick" d={`M${x(i).toFixed(1)} ${y(c.high).toFixed(1)} V${y(c.low).toFixed(1)}`} />
            <rect
              class="body"
              x={x(i) - wide / 2}
              y={y(Math.max(c.open, c.close))}
              width={wide}
              height={Math.max(1.5, Math.abs(c.open - c.close) * PRICES)}
            />
            <rect
              class="volume"
              x={x(i) - wide / 2}
              y={HEIGHT - Math.max(1, c.volume * (VOLUMES - 8))}
              width={wide}
              height={Math.max(1, c.volume * (VOLUMES - 8))}
            />
          </g>
        ))}
      </svg>
      <p class="readout">{text}</p>
      <label class="cursor">
        <span class="hidden">Candle in the chart</span>
        <input
          type="range"
          min={0}
          max={last}
          step={1}
          value={shown}
          disabled={last < 1}
          aria-valuetext={text}
          onInput={(e) => setAt(Number(e.currentTarget.value))}
        />
      </label>
      <p class="faint">
        SOL for {name} {own.name}. A hollow candle rises, a filled one falls; below are the volumes. Intervals
        without trades are left out.
      </p>
      <details>
        <summary>Show as a table</summary>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                {['From', 'Open', 'High', 'Low', 'Close', 'Volume, SOL', 'Trades'].map((head) => (
                  <th scope="col" key={head}>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {[...candles].reverse().map((c) => (
                <tr key={c.time}>
                  <th scope="row">{moment(c.time)}</th>
                  {[c.open, c.high, c.low, c.close].map((price, i) => (
                    <td key={String(i)}>{lotPrice(price, zeros, 5)}</td>
                  ))}
                  <td>{digits(c.volume, 4)}</td>
                  <td>{c.trades}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  );
}

/** The change of the price in the last day. */
function LastDay(props: { mint: string; round: number }) {
  const load = useLoad(`candles ${props.mint} 1h`, () => readCandles(props.mint, '1h'));
  useRound(load.reload, props.round);
  const said = load.data && change(load.data.candles, Date.now());
  return said ? <p class="change">{said} in 24 hours</p> : null;
}

function History(props: { token: Schemas['Token']; own: Asset; createdAt: string; round: number }) {
  const { mintAddress } = props.token;
  const [interval, choose] = useState<Interval>(() => intervalFor(props.createdAt, Date.now()));
  const load = useLoad(`candles ${mintAddress} ${interval}`, () => readCandles(mintAddress, interval));
  useRound(load.reload, props.round);
  return (
    <div class="price-history">
      <h3>Price</h3>
      <LastDay mint={mintAddress} round={props.round} />
      <fieldset class="sides">
        <legend class="hidden">Interval of a candle</legend>
        {INTERVALS.map(([value, name]) => (
          <label key={value}>
            <input type="radio" name="interval" checked={interval === value} onChange={() => choose(value)} />{' '}
            {name}
          </label>
        ))}
      </fieldset>
      <Loaded load={load} what="the prices">
        {(got) =>
          got.candles.length > 0 ? (
            <Chart candles={got.candles} own={props.own} />
          ) : (
            <p>No trades are kept for this interval. Choose a longer one.</p>
          )
        }
      </Loaded>
    </div>
  );
}

const page = (mintAddress: string, cursor?: string) =>
  answer(
    api.GET('/launchpad/{mintAddress}/trades', {
      params: { path: { mintAddress }, query: { limit: 10, ...(cursor ? { cursor } : {}) } },
    }),
  );

/** The trades, newest first, with the traders' payments or proceeds. */
function Recent(props: { token: Schemas['Token']; own: Asset; round: number }) {
  const { token, own } = props;
  const sol = assetOf('SOL', token);
  const pages = usePages(`trades ${token.mintAddress}`, {
    page: (cursor) => page(token.mintAddress, cursor),
    items: ({ trades }) => trades,
    id: ({ number }) => number,
  });
  useRound(pages.load.reload, props.round);
  return (
    <div>
      <h3>Latest trades</h3>
      <Loaded load={pages.load} what="the trades">
        {() => (
          <>
            {pages.items.length === 0 ? <p>No trades in the last year.</p> : null}
            <ul class="plain-list burns">
              {pages.items.map((t) => (
                <li key={t.number}>
                  {moment(t.time)}: {t.side === 'buy' ? 'bought' : 'sold'} {brief(own, t.tokenAmount)} for{' '}
                  {brief(sol, t.lamports)}
                  {t.trader ? (
                    <>
                      {' '}
                      by <Look address={t.trader}>{short(t.trader)}</Look>
                    </>
                  ) : null}{' '}
                  <Transaction signature={t.signature} what="transaction" />
                </li>
              ))}
            </ul>
            <Older pages={pages} />
          </>
        )}
      </Loaded>
    </div>
  );
}

/** The price over time, and the latest trades. New trades cause a new fetch. */
export function Trades(props: { token: Schemas['Token']; createdAt: string; round: number }) {
  const own = assetOf(props.token.mintAddress, props.token);
  return (
    <div class="traded">
      <History {...props} own={own} />
      <Recent {...props} own={own} />
    </div>
  );
}
