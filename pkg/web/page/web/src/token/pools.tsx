import type { Schemas } from '../api/client';
import { moment } from '../ui/clock';
import { Address } from '../ui/parts';
import { Section } from './parts';

/** The programs that pools are of, by name. */
export const programs: Readonly<Record<Schemas['Pool']['kind'], string>> = {
  'raydium-cpmm': 'Raydium CPMM',
  'meteora-damm-v2': 'Meteora DAMM v2',
};

/** Where the token trades. Their vaults get no share of the distributions. */
export function Pools(props: { token: Schemas['Token'] }) {
  const { pools } = props.token;
  if (pools.length === 0) return null;
  return (
    <Section id="pools" title="Where it trades">
      <ul class="plain-list">
        {pools.map((pool) => (
          <li key={pool.address}>
            {programs[pool.kind]}: <Address address={pool.address} of="pool's address" />{' '}
            <span class="faint">seen {moment(pool.createdAt)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
