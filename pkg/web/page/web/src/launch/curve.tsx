import { answer, bearer, type Schemas } from 'tokenlaunch/api';
import { api } from '../api/client';
import { Check, Text } from '../form/field';
import { keyOf } from '../form/key';
import { reading } from '../form/reading';
import { useTyped } from '../form/typed';
import { taxNow } from '../token/facts/onchain';
import { decimal, SOL_DECIMALS, sol } from '../ui/amount';
import { moment } from '../ui/clock';
import { number, PERCENT, SOL, units } from '../ui/entered';
import { Transaction } from '../wallet/transaction';
import { atOnce, beginning, keeps } from './begin';
import { LotPrice } from './lot';
import type { MarketProps } from './market';
import { BeginFields } from './opening';
import { afterTax, curvePrices } from './price';

/** The service's response, and the chain's tax in percent, against which the page checks the response. */
type Unsigned = Schemas['UnsignedCurve'] & { readonly tax: number };

/** Creates a bonding curve for tokens. */
export function CurveForm({ session, token, checkers, onLock, locked }: MarketProps) {
  const form = useTyped(`curve:${token.mint}`, {
    // All tokens, because the creator keeps the others.
    tokenAmount: decimal(token.supply, token.decimals),
    targetMarketCap: '100',
    priceMultiplier: '16',
    tradeFeePercent: '1',
    lockLiquidity: true,
    ...atOnce,
  });
  const check = checkers?.('CurveCreation');
  const { values } = form;
  const { read, wrong } = reading();
  const tokenAmount = read('tokenAmount', () => units(values.tokenAmount, token.decimals, 1n));
  const target = read('targetMarketCap', () => BigInt(units(values.targetMarketCap, SOL_DECIMALS)));
  const multiplier = read('priceMultiplier', () => number(values.priceMultiplier));
  const tradeFeePercent = read('tradeFeePercent', () => number(values.tradeFeePercent));
  const begin = beginning(values, tradeFeePercent, Date.now());
  const body = {
    tokenMint: token.mint,
    tokenAmount,
    targetMarketCap: target === undefined ? undefined : decimal(target, SOL_DECIMALS).replaceAll(',', ''),
    targetMarketCapUnit: 'SOL' as const,
    priceMultiplier: multiplier,
    tradeFeePercent,
    lockLiquidity: values.lockLiquidity,
    ...begin.body,
  };
  // The document's bounds are for both units; the maximum in SOL is 10,000.
  if (target !== undefined && target > 10_000n * 10n ** 9n)
    wrong.targetMarketCap = 'Enter at most 10,000 SOL.';
  const bad = { ...check?.check(body), ...wrong, ...begin.wrong };
  const shown = form.shown(bad);
  const text = (
    name: 'tokenAmount' | 'targetMarketCap' | 'priceMultiplier' | 'tradeFeePercent' | keyof typeof atOnce,
  ) => ({
    name,
    needed: !(name in atOnce),
    value: values[name],
    error: shown[name],
    onValue: (value: string) => form.type(name, value),
    onLeave: () => form.leave(name),
  });
  const ready = Object.keys(bad).length === 0;
  const prices =
    ready && tokenAmount && target && multiplier
      ? curvePrices(
          target,
          afterTax(BigInt(tokenAmount), token.transferFeePercent),
          BigInt(Math.round(multiplier * 100)),
          token.decimals,
        )
      : null;
  return (
    <>
      <fieldset disabled={locked}>
        <legend class="hidden">The curve</legend>
        <div class="pair">
          <Text
            {...text('tokenAmount')}
            reads={{ unit: token.symbol, decimals: token.decimals }}
            label={`${token.symbol} on the curve`}
            hint={keeps(tokenAmount, token, Number(begin.body.initialBuyLamports ?? 0) > 0)}
          />
          <Text
            {...text('targetMarketCap')}
            label="Target"
            reads={SOL}
            hint="Once buyers have put in this much, the curve becomes a pool."
          />
        </div>
        <div class="pair">
          <Text {...text('priceMultiplier')} label="Price at the target" reads={{ unit: '× the start' }} />
          <Text
            {...text('tradeFeePercent')}
            label="Trading fee"
            reads={PERCENT}
            hint="Yours, minus a fifth that Meteora keeps."
          />
        </div>
        <Check
          name="lockLiquidity"
          label="Lock the liquidity permanently"
          hint="Then it cannot be withdrawn, not even by you. Buyers can see whether it is locked."
          value={values.lockLiquidity}
          onValue={(value) => form.type('lockLiquidity', value)}
        />
        <BeginFields text={text} open={Object.keys(atOnce).some((field) => field in shown)} />
      </fieldset>
      {prices ? (
        <p class="prices">
          <LotPrice price={prices.start} symbol={token.symbol} /> at the start, and{' '}
          <LotPrice price={prices.end} symbol={token.symbol} /> at the target.
        </p>
      ) : null}
      <Transaction<Unsigned>
        kind="curve"
        of={token.mint}
        stamp={JSON.stringify(body)}
        session={session}
        title="Open the curve"
        label="Review curve"
        back="Edit"
        blocked={ready ? null : 'Complete the fields above first.'}
        onLock={onLock}
        prepare={(key) =>
          form.tell(async () => {
            // The tax decides the amount that leaves the wallet, so the page does not trust the service for the tax.
            const tax = await taxNow(token.mint);
            const given = await answer(
              api.POST('/launchpad/create-unsigned', {
                body: body as Schemas['CurveCreation'],
                headers: { ...bearer(session.token), ...(await keyOf(key, body)) },
              }),
            );
            return { ...given, tax };
          })
        }
        asked={({ tax }) => ({ kind: 'curve', curve: body as Schemas['CurveCreation'], tax })}
        about={(unsigned) => (
          <p>
            <LotPrice price={unsigned.curveParameters.startPrice} symbol={token.symbol} /> at the start, and{' '}
            <LotPrice price={unsigned.curveParameters.endPrice} symbol={token.symbol} /> at the target. After
            tax, {decimal(unsigned.tokenAmountAfterTax, token.decimals)} of your tokens arrive.
            {unsigned.initialBuyLamports === '0'
              ? ''
              : ` Your first purchase brings ${decimal(unsigned.initialBuyTokens, token.decimals)} ${token.symbol} for ${sol(unsigned.initialBuyLamports)}.`}
            {unsigned.startsAt ? ` The curve opens ${moment(unsigned.startsAt)}.` : ''}
          </p>
        )}
        deposit={
          body.initialBuyLamports ? 'First purchase' : 'The smallest part of a SOL, which a curve needs'
        }
        onDone={() => {}}
        after={<a href={`/t/${token.mint}`}>See the curve on your token’s page</a>}
      />
    </>
  );
}
