import { answer, bearer, type Schemas } from 'tokenlaunch/api';
import { api } from '../api/client';
import { Text } from '../form/field';
import { keyOf } from '../form/key';
import { reading } from '../form/reading';
import { useTyped } from '../form/typed';
import { decimal, SOL_DECIMALS } from '../ui/amount';
import { SOL, units } from '../ui/entered';
import { Transaction } from '../wallet/transaction';
import { LotPrice } from './lot';
import type { MarketProps } from './market';
import { afterTax, price } from './price';

/** Opens a pool of the token and SOL. */
export function PoolForm({ session, token, checkers, onLock, locked }: MarketProps) {
  const form = useTyped(`pool:${token.mint}`, {
    tokenAmount: decimal((BigInt(token.supply) * 4n) / 5n, token.decimals),
    solAmount: '',
  });
  const check = checkers?.('PoolCreation');
  const { values } = form;
  const { read, wrong } = reading();
  const body = {
    tokenMint: token.mint,
    tokenAmount: read('tokenAmount', () => units(values.tokenAmount, token.decimals, 1n)),
    solAmount: read('solAmount', () => units(values.solAmount, SOL_DECIMALS, 1n)),
  };
  const bad = { ...check?.check(body), ...wrong };
  const shown = form.shown(bad);
  const text = (name: 'tokenAmount' | 'solAmount') => ({
    name,
    needed: true,
    value: values[name],
    error: shown[name],
    onValue: (value: string) => form.type(name, value),
    onLeave: () => form.leave(name),
  });
  const ready = Object.keys(bad).length === 0;
  return (
    <>
      <fieldset class="pair" disabled={locked}>
        <legend class="hidden">Deposit</legend>
        <Text
          {...text('tokenAmount')}
          label={`${token.symbol} to deposit`}
          reads={{ unit: token.symbol, decimals: token.decimals }}
          hint="The tax applies to the deposit."
        />
        <Text {...text('solAmount')} label="SOL to deposit" reads={SOL} />
      </fieldset>
      {ready && body.tokenAmount && body.solAmount ? (
        <p class="prices">
          <LotPrice
            price={price(
              BigInt(body.solAmount),
              afterTax(BigInt(body.tokenAmount), token.transferFeePercent),
              token.decimals,
            )}
            symbol={token.symbol}
          />{' '}
          at the start.
        </p>
      ) : null}
      <Transaction<Schemas['UnsignedPool']>
        kind="pool"
        of={token.mint}
        stamp={JSON.stringify(body)}
        session={session}
        title="Open the pool"
        label="Review pool"
        back="Edit"
        blocked={ready ? null : 'Complete the fields above first.'}
        onLock={onLock}
        prepare={(key) =>
          form.tell(async () =>
            answer(
              api.POST('/dex/exchange/cpmm/create-unsigned', {
                body: body as Schemas['PoolCreation'],
                headers: { ...bearer(session.token), ...(await keyOf(key, body)) },
              }),
            ),
          )
        }
        asked={() => ({ kind: 'pool', pool: body as Schemas['PoolCreation'] })}
        about={(unsigned) => (
          <p>
            <LotPrice price={unsigned.initialPrice} symbol={token.symbol} /> at the start. After tax,{' '}
            {decimal(unsigned.tokenAmountAfterTax, token.decimals)} of your tokens arrive.
          </p>
        )}
        deposit="SOL deposit"
        onDone={() => {}}
        after={<a href={`/t/${token.mint}`}>See the pool on your token’s page</a>}
      />
    </>
  );
}
