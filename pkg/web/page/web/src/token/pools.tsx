import type { Schemas } from 'tokenlaunch/api';
import { moment } from '../ui/clock';
import { Address } from '../ui/parts';
import { Section } from './parts';

/** The names of the pools' programs. */
export const programs: Readonly<Record<Schemas['Pool']['kind'], string>> = {
  'raydium-cpmm': 'Raydium CPMM',
  'meteora-damm-v2': 'Meteora DAMM v2',
};

/**
 * The token's markets: its creator's pools, and separately the pools of third parties. Their vaults
 * get no share of the distributions.
 */
export function Pools(props: { token: Schemas['Token'] }) {
  const { pools, otherPools } = props.token;
  if (pools.length === 0 && otherPools.length === 0) return null;
  return (
    <Section id="pools" title="Where it trades">
      <List pools={pools} />
      {otherPools.length > 0 ? (
        <>
          <p>Pools opened by others. Anyone can open one; distributions never sell through them.</p>
          <List pools={otherPools} />
        </>
      ) : null}
    </Section>
  );
}

function List(props: { pools: readonly Schemas['Pool'][] }) {
  if (props.pools.length === 0) return null;
  return (
    <ul class="plain-list">
      {props.pools.map((pool) => (
        <li key={pool.address}>
          {programs[pool.kind]}: <Address address={pool.address} of="pool's address" />{' '}
          {pool.official ? null : (
            <>
              by <Address address={pool.creator} of="address of its creator" />{' '}
            </>
          )}
          <span class="faint">seen {moment(pool.createdAt)}</span>
        </li>
      ))}
    </ul>
  );
}
