import type { ComponentChildren } from 'preact';
import type { Schemas } from 'tokenlaunch/api';
import { amount, useAssets } from '../token/asset';
import { Pairs } from '../token/parts';
import { moment } from '../ui/clock';

export type Holding = Schemas['HolderToken'];

/** The wallet's rewards from a token. `children` are the actions. */
export function Row(props: { holding: Holding; children?: ComponentChildren }) {
  const { holding } = props;
  const asset = useAssets([holding.asset, ...holding.arrears.map((a) => a.asset)], {
    mintAddress: holding.mint,
    symbol: holding.symbol,
    decimals: holding.decimals,
  });
  const reward = asset(holding.asset);
  const pairs = (of: Pick<Holding, 'asset' | 'received' | 'owed' | 'reserved'>) => [
    ['Received', amount(asset(of.asset), of.received)] as const,
    ['Still owed', amount(asset(of.asset), of.owed)] as const,
    ...(of.reserved === '0'
      ? []
      : [['Sent, not yet confirmed', amount(asset(of.asset), of.reserved)] as const]),
  ];
  return (
    <li class="card reward">
      <h2>
        <a href={`/t/${holding.mint}`} title={holding.name}>
          <bdi>{holding.name}</bdi>
        </a>{' '}
        <span class="symbol">
          <bdi>{holding.symbol}</bdi>
        </span>
      </h2>
      <Pairs
        rows={[
          ...pairs(holding),
          ['Last distribution', holding.lastRun ? moment(holding.lastRun.scheduledAt) : 'none yet'],
        ]}
      />
      {holding.reason ? <p class="remark">{holding.reason.detail}</p> : null}
      {holding.arrears.map((arrears) => (
        <div key={arrears.asset}>
          <h3>In {asset(arrears.asset).name}, the reward before</h3>
          <Pairs rows={pairs(arrears)} />
          {arrears.reason ? <p class="remark">{arrears.reason.detail}</p> : null}
        </div>
      ))}
      {holding.moreAssets ? (
        <p class="faint">Earlier rewards than {reward.name} are listed on the token’s page.</p>
      ) : null}
      {props.children ? <div class="buttons">{props.children}</div> : null}
    </li>
  );
}
