import type { ComponentChildren } from 'preact';
import type { Schemas } from 'tokenlaunch/api';
import { decimal } from '../../ui/amount';
import type { Asset } from '../asset';
import { sums } from './statement';
import { entryWords } from './words';

type Statement = Schemas['Statement'];

/** Formats amounts with as many decimals as the finest amount needs, so that the amounts align. */
export function aligned(units: readonly string[], decimals: number): readonly string[] {
  const texts = units.map((u) => decimal(u, decimals).split('.'));
  const places = Math.max(...texts.map((t) => t[1]?.length ?? 0));
  return texts.map(([whole, rest]) =>
    places === 0 ? `${whole}` : `${whole}.${(rest ?? '').padEnd(places, '0')}`,
  );
}

/** A column of numbers with its sum below a line. */
function Sum(props: {
  rows: readonly (readonly [string, string])[];
  total: ComponentChildren;
  sum: string;
  asset: Asset;
}) {
  const texts = aligned([...props.rows.map(([, units]) => units), props.sum], props.asset.decimals ?? 0);
  return (
    <table class="sum">
      <tbody>
        {props.rows.map(([name], i) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number">{texts[i]}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{props.total}</th>
          <td class="number">{texts.at(-1)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function One(props: { statement: Statement; asset: Asset }) {
  const { statement: s, asset } = props;
  const total = sums(s);
  const rows = (entries: Statement['in']) => entries.map((e) => [entryWords[e.name], e.amount] as const);
  return (
    <div class="statement">
      <h4>{asset.name}</h4>
      <div class="sums">
        <Sum
          asset={asset}
          rows={[['balance before', s.opening], ...rows(s.in)]}
          total="total"
          sum={total.had.toString()}
        />
        <Sum
          asset={asset}
          rows={[...rows(s.out), ['balance after', s.closing]]}
          total="total"
          sum={total.gone.toString()}
        />
        {s.heldFor.length > 0 ? (
          <Sum asset={asset} rows={rows(s.heldFor)} total="total held" sum={total.held.toString()} />
        ) : null}
      </div>
      {total.balances ? (
        <p class="adds-up">
          ✓ Both sides are {decimal(total.had, asset.decimals ?? 0)} {asset.name}.
        </p>
      ) : (
        <p class="adds-not">✗ These numbers do not add up. This statement is wrong.</p>
      )}
    </div>
  );
}

/** The statement of each asset, which shows that nothing was lost. The page adds up the numbers itself. */
export function Statements(props: { statements: readonly Statement[]; asset: (id: string) => Asset }) {
  if (props.statements.length === 0) return null;
  return (
    <>
      <h3>Every unit accounted for</h3>
      <p>
        The distribution wallet’s balance before, plus what came in, must equal what went out plus its balance
        after.
      </p>
      {props.statements.map((s) => (
        <One statement={s} asset={props.asset(s.asset)} key={s.asset} />
      ))}
    </>
  );
}
