import { useEffect, useState } from 'preact/hooks';
import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../../api/client';
import { useLoad } from '../../api/load';
import { Text } from '../../form/field';
import { SOL } from '../../ui/entered';
import { Loaded } from '../../ui/parts';
import { basisPoints, percent } from '../../ui/percent';
import { assetOf, brief } from '../asset';
import { Pairs } from '../parts';
import { lot, lotPrice } from './price';
import { Unit } from './unit';
import { wish } from './wish';

/** The pause in typing before a request, in milliseconds. The API allows 100 requests in 15 minutes. */
const STILL = 700;

/** Returns the price impact in words. */
const impact = (value: number): string => (value < 0.01 ? 'less than 0.01%' : percent(basisPoints(value)));

/** Returns a value after the value has stopped changing. */
function useStill<T>(value: T): T {
  const [still, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(value), STILL);
    return () => clearTimeout(timer);
  }, [value]);
  return still;
}

/** The present price of an amount of the token. */
export function Quote(props: { token: Schemas['Token'] }) {
  const { token } = props;
  const own = assetOf(token.mintAddress, token);
  const [text, setText] = useState('');
  const [pays, setPays] = useState(false);
  const kind = pays ? SOL : { unit: token.symbol, decimals: token.decimals };
  const wanted = wish(text, kind.decimals);
  const units = useStill(wanted && 'units' in wanted ? wanted.units : null);
  const load = useLoad(units && `quote ${token.mintAddress} ${pays} ${units}`, () =>
    answer(
      api.GET('/launchpad/{mintAddress}/price', {
        params: {
          path: { mintAddress: token.mintAddress },
          query: pays ? { lamports: units ?? '' } : { amount: units ?? '' },
        },
      }),
    ),
  );
  const wrong = wanted && 'wrong' in wanted ? wanted.wrong : '';
  return (
    <div class="quote card">
      <h3>Get a quote</h3>
      <Unit name="quote-unit" symbol={token.symbol} pays={pays} onPays={setPays} />
      <Text
        name="quote"
        label={pays ? 'SOL to pay' : `${token.symbol} to receive`}
        reads={kind}
        value={text}
        onValue={setText}
        error={wrong}
      />
      <div class="quote-answer" aria-live="polite">
        {units && wanted && !wrong ? (
          <Loaded load={load} what="the price">
            {(quote) => (
              <Pairs
                rows={[
                  ['You pay', `${quote.solCost} SOL`],
                  ['You receive', brief(own, quote.tokenAmount)],
                  ['Tax taken', brief(own, quote.tokenTax)],
                  ['Price impact', impact(quote.priceImpact)],
                  [
                    `Price of ${lot(quote.nextPrice).name} after`,
                    `${lotPrice(quote.nextPrice, lot(quote.nextPrice).zeros, 6)} SOL`,
                  ],
                ]}
              />
            )}
          </Loaded>
        ) : (
          <p class="faint">Includes the trading fee and the token’s tax.</p>
        )}
      </div>
    </div>
  );
}
