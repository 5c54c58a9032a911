import { useState } from 'preact/hooks';
import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../../api/client';
import { useLoad } from '../../api/load';
import { compact, SOL_DECIMALS } from '../../ui/amount';
import { moment } from '../../ui/clock';
import { useLater } from '../../ui/fetched';
import { Address, Loaded, Progress } from '../../ui/parts';
import { basisPoints, percent } from '../../ui/percent';
import { usePoll } from '../../ui/poll';
import { type Asset, assetOf, brief } from '../asset';
import { Pairs, Section } from '../parts';
import { CurveChart } from './chart';
import { opening, opensLater } from './opens';
import { capOf, lot, lotPrice, perSol } from './price';
import { Quote } from './quote';

/** A curve in the response of its own route; lists have the token's record, too. */
type Curve = Omit<Schemas['Curve'], 'token'>;

/** The interval at which an active curve is polled, in milliseconds. */
const EVERY = 30_000;

/** The states of a curve, in words. */
export const standing: Readonly<Record<Curve['status'], string>> = {
  active: 'Open: anyone can buy and sell.',
  completed: 'Target reached. The curve is now the token’s pool, and trading continues.',
  cancelled: 'The creator cancelled the curve and withdrew what was in it.',
};

/** Describes whether the money can be withdrawn. */
export function lock(curve: Pick<Curve, 'status' | 'liquidityLocked' | 'lockLiquidity'>): string {
  if (curve.status === 'cancelled') return 'It was not locked.';
  if (curve.liquidityLocked) return 'Locked permanently. The tokens and SOL in the pool cannot be withdrawn.';
  return curve.lockLiquidity
    ? 'Meant to be locked, but the chain does not confirm that all of it is.'
    : 'Not locked. The creator can cancel and withdraw everything.';
}

/** Describes the share of the token that the curve's creator holds. */
export function share(curve: Pick<Curve, 'creatorSharePercent' | 'official'>): readonly [string, string][] {
  if (curve.creatorSharePercent === null) return [];
  const holds = percent(basisPoints(curve.creatorSharePercent));
  return [
    [curve.official ? 'The creator’s wallet holds' : 'Its maker’s wallet holds', `${holds} of the supply`],
  ];
}

function Figures(props: { curve: Curve; own: Asset; supply: string }) {
  const { curve, own, supply } = props;
  const { zeros, name } = lot(curve.currentPrice);
  const buys = perSol(curve.currentPrice, own.decimals ?? 0);
  return (
    <>
      <p>{opening(curve, Date.now()) ?? standing[curve.status]}</p>
      <Progress
        label={`${curve.solCollected} of ${curve.targetMarketCap} SOL raised (${percent(basisPoints(curve.progress))})`}
        value={curve.progress / 100}
      />
      <CurveChart curve={curve} own={own} />
      <Pairs
        rows={[
          [`Price of ${name} ${own.name}`, `${lotPrice(curve.currentPrice, zeros, 6)} SOL`],
          [
            'Market cap',
            `${compact(capOf(curve.currentPrice, supply, own.decimals ?? 0), SOL_DECIMALS)} SOL`,
          ],
          ...(buys === null ? [] : [['1 SOL buys about', brief(own, buys)] as const]),
          ['Sold', `${brief(own, curve.tokensSold)} of ${brief(own, curve.totalTokens)}`],
          ['Buyers', String(curve.uniqueBuyers)],
          ['Trades', String(curve.trades)],
          ...share(curve),
          ['Fee on trades', percent(basisPoints(curve.tradeFeePercent))],
          ['Pool', <Address address={curve.bondingCurveId} of="pool's address" key="pool" />],
          ...(curve.completedAt
            ? [['Target reached', moment(curve.completedAt)] as const]
            : curve.estimatedCompletion
              ? [['On track to complete', moment(curve.estimatedCompletion)] as const]
              : []),
        ]}
      />
      <p>
        <strong>Liquidity:</strong> {lock(curve)}
      </p>
    </>
  );
}

/** Buying and selling needs the wallet's code, which is fetched on demand. */
function Trading(props: { token: Schemas['Token']; done: () => void }) {
  const [wanted, want] = useState(false);
  const later = useLater(wanted, () => import('./trade'));
  if (later === 'failed') return <p>Trading failed to load. Reload the page.</p>;
  if (later) return <later.Trade {...props} />;
  return (
    <p>
      <button type="button" onClick={() => want(true)} disabled={wanted}>
        {wanted ? 'Loading …' : 'Buy or sell'}
      </button>
    </p>
  );
}

/** The price over time and the trades. The code is fetched separately, once there are trades. */
function Traded(props: { token: Schemas['Token']; curve: Curve | null }) {
  const { token, curve } = props;
  const later = useLater((curve?.trades ?? 0) > 0, () => import('./trades'));
  if (!curve) return null;
  if (curve.trades === 0) return <p class="faint">There were no trades yet.</p>;
  if (later === 'failed') return <p>The trades failed to load. Reload the page.</p>;
  if (!later) return <p class="faint">Loading the trades …</p>;
  return <later.Trades token={token} createdAt={curve.createdAt} round={curve.trades} />;
}

/** The token's curve: price, progress, what a purchase costs, and buying and selling. */
export function CurvePanel(props: { token: Schemas['Token'] }) {
  const { token } = props;
  const own = assetOf(token.mintAddress, token);
  const load = useLoad(`curve ${token.mintAddress}`, () =>
    answer(
      api.GET('/launchpad/{mintAddress}/status', { params: { path: { mintAddress: token.mintAddress } } }),
    ),
  );
  const status = load.data?.status ?? token.launchpad?.status;
  usePoll(load.reload, status === 'cancelled' ? null : EVERY);
  const tradable = status !== 'cancelled' && !(load.data && opensLater(load.data, Date.now()));
  return (
    <Section id="curve" title="Bonding curve">
      {tradable ? <Trading token={token} done={load.reload} /> : null}
      <div class="curve-part">
        <Loaded load={load} what="the curve">
          {(curve) => (
            <Figures curve={curve} own={own} supply={token.figures?.holders?.supply ?? token.supply} />
          )}
        </Loaded>
      </div>
      <Traded token={token} curve={load.data} />
      {tradable ? <Quote token={token} /> : null}
    </Section>
  );
}
