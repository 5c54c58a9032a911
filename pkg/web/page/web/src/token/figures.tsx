import type { Schemas } from 'tokenlaunch/api';
import { compact, count } from '../ui/amount';
import { ago, useNow } from '../ui/clock';
import { percent } from '../ui/percent';
import { assetOf } from './asset';
import { Figures, Section } from './parts';

/** The parts of a token that its figures need. */
type Token = Pick<Schemas['Token'], 'mintAddress' | 'symbol' | 'decimals' | 'figures'>;
type Paid = Schemas['TokenPaid'];

/** Returns an amount that was paid, cut to three digits. */
export const paid = (token: Token, of: Paid, units: string): string =>
  `${compact(units, of.decimals)} ${assetOf(of.asset, token).name}`;

/** Returns a part of the supply in percent; "less than 0.01%" for a smaller part. */
export function partOf(units: string, supply: string): string {
  const [part, whole] = [BigInt(units), BigInt(supply)];
  const points = whole > 0n ? Number((part * 10_000n) / whole) : 0;
  return points === 0 && part > 0n ? 'less than 0.01%' : percent(points);
}

/** The payouts with their proofs, in a line that links to them; nothing before the first. */
export function Payouts(props: { token: Token }) {
  const { figures } = props.token;
  const now = useNow();
  if (!figures?.lastPayoutAt) return null;
  const { payouts, lastPayoutAt } = figures;
  return (
    <p class="payouts">
      <a href="#runs">
        {payouts === 1 ? '1 payout, proven' : `${count(payouts)} payouts, all proven, last`}{' '}
        <time dateTime={lastPayoutAt}>{ago(now - Date.parse(lastPayoutAt))}</time>
      </a>
    </p>
  );
}

/** The figures that people decide by: what holders were paid, and who holds the token. */
export function FiguresPanel(props: { token: Token }) {
  const { token } = props;
  const { figures } = token;
  if (!figures || (figures.paid.length === 0 && !figures.holders)) return null;
  const { holders } = figures;
  return (
    <Section id="figures" title="In figures">
      <Figures
        rows={[
          ...figures.paid.flatMap((of): [string, string][] => [
            ['Paid to holders in all', paid(token, of, of.paid)],
            ['Paid to holders in 24 hours', paid(token, of, of.lastDay.paid)],
          ]),
          ...(holders
            ? ([
                ['Holders', count(holders.owners)],
                ['The ten largest hold', partOf(holders.topTen, holders.supply)],
                ['The creator’s wallet holds', partOf(holders.creator, holders.supply)],
                ...(holders.locked === null
                  ? []
                  : [['Locked in escrows', partOf(holders.locked, holders.supply)] as [string, string]]),
              ] satisfies [string, string][])
            : []),
        ]}
      />
      {holders ? (
        <p class="faint">
          Holders at the newest proven distribution, {ago(Date.now() - Date.parse(holders.asOf))}, without
          pools and curves. Shares are of the supply. Escrows are those of Jupiter Lock, for any time.
        </p>
      ) : null}
    </Section>
  );
}
