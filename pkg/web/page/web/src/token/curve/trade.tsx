import { answer, bearer, type Schemas } from 'tokenlaunch/api';
import { api } from '../../api/client';
import '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import type { Asked } from 'tokenlaunch/sign';
import { Text } from '../../form/field';
import { baseUnits, SOL_DECIMALS } from '../../ui/amount';
import { number, PERCENT, SOL } from '../../ui/entered';
import { basisPoints } from '../../ui/percent';
import { SignedIn } from '../../wallet/account';
import { remembered, settle } from '../../wallet/pending';
import type { Session } from '../../wallet/session';
import { Transaction } from '../../wallet/transaction';
import { amount, assetOf } from '../asset';
import { Holds } from './holds';
import { Unit } from './unit';
import { wish } from './wish';

type Purchase = Schemas['UnsignedPurchase'];
type Sale = Schemas['UnsignedSale'];
type Trade = (Purchase | Sale) & {
  readonly cost: { readonly [part: string]: string } & { totalLamports: string };
};

/** Returns the requested trade, with the shown amounts as limits. */
export function askedOf(mint: string, trade: Schemas['CurvePurchase'], shown: Trade): Asked {
  const lamports = (text: string) => {
    const value = baseUnits(text, SOL_DECIMALS);
    if (value === null) throw new Error('What it comes to in SOL cannot be read.');
    return value;
  };
  if (trade.lamports && 'maximumSolCost' in shown)
    return { kind: 'spend', mint, trade, least: BigInt(shown.minimumTokenAmount) };
  return 'maximumSolCost' in shown
    ? { kind: 'buy', mint, trade, most: lamports(shown.maximumSolCost) }
    : { kind: 'sell', mint, trade, least: lamports(shown.minimumSolReceived) };
}

const SLIPPAGE = 'Enter a slippage from 0 to 50%, with at most 2 decimals.';

/** Parses the allowed slippage in percent: a number from 0 to 50 with two decimals; null for any other text. */
export function slippage(text: string): number | null {
  try {
    const value = number(text);
    const points = basisPoints(value);
    return points <= 5_000 && points / 100 === value ? value : null;
  } catch {
    return null;
  }
}

function Form(props: { token: Schemas['Token']; session: Session; done: () => void }) {
  const { token, session } = props;
  const own = assetOf(token.mintAddress, token);
  const [side, setSide] = useState<'buy' | 'sell'>('buy');
  const [pays, setPays] = useState(true);
  const [text, setText] = useState('');
  const [worse, setWorse] = useState('3');
  const [signing, setSigning] = useState(false);
  const round = useRef(0);
  const spends = pays && side === 'buy';
  const kind = spends ? SOL : { unit: token.symbol, decimals: token.decimals };
  const wanted = wish(text, kind.decimals);
  const slip = slippage(worse);
  const wrong = wanted && 'wrong' in wanted ? wanted.wrong : '';
  /** An unsigned transaction is obsolete after a change; a signed transaction is followed to its end. */
  const changed = () => {
    const pending = remembered('trade', token.mintAddress, session.wallet);
    if (pending?.signed) return;
    settle('trade', token.mintAddress, session.wallet);
    round.current++;
  };
  const units = wanted && 'units' in wanted ? wanted.units : '';
  const sale = { tokenAmount: units, slippagePercent: slip };
  const body = spends ? { lamports: units, slippagePercent: slip } : sale;
  const prepare = (key: string) => {
    const path = { mintAddress: token.mintAddress };
    const header = { 'Idempotency-Key': key };
    const headers = bearer(session.token);
    return (
      side === 'buy'
        ? answer(
            api.POST('/launchpad/{mintAddress}/buy/create-unsigned', {
              params: { path, header },
              headers,
              body,
            }),
          )
        : answer(
            api.POST('/launchpad/{mintAddress}/sell/create-unsigned', {
              params: { path, header },
              headers,
              body: sale,
            }),
          )
    ) as Promise<Trade>;
  };
  const blocked = wanted === null ? 'Enter an amount.' : wrong || (slip === null ? SLIPPAGE : null);
  return (
    <>
      <fieldset class="trade" disabled={signing}>
        <legend>Buy or sell</legend>
        <div class="sides">
          {(['buy', 'sell'] as const).map((s) => (
            <label key={s}>
              <input
                type="radio"
                name="side"
                checked={side === s}
                onChange={() => {
                  changed();
                  setSide(s);
                }}
              />{' '}
              {s === 'buy' ? 'Buy' : 'Sell'}
            </label>
          ))}
        </div>
        {side === 'buy' ? (
          <Unit
            name="trade-unit"
            symbol={token.symbol}
            pays={pays}
            onPays={(pays) => {
              changed();
              setPays(pays);
            }}
          />
        ) : null}
        <Text
          name="trade-amount"
          label={
            spends ? 'SOL to pay' : side === 'buy' ? `${token.symbol} to buy` : `${token.symbol} to sell`
          }
          reads={kind}
          value={text}
          onValue={(value) => {
            changed();
            setText(value);
          }}
          error={wrong}
        />
        {spends || side === 'sell' ? (
          <Holds
            wallet={session.wallet}
            token={token}
            spends={spends}
            onText={(text) => {
              changed();
              setText(text);
            }}
          />
        ) : null}
        <Text
          name="slippage"
          label="Maximum slippage, in %"
          reads={PERCENT}
          value={worse}
          onValue={(value) => {
            changed();
            setWorse(value);
          }}
          error={slip === null ? SLIPPAGE : ''}
        />
      </fieldset>
      <Transaction<Trade, { signature: string }>
        key={round.current}
        kind="trade"
        of={token.mintAddress}
        stamp={JSON.stringify([side, body])}
        title="Your trade"
        label={side === 'buy' ? 'Review purchase' : 'Review sale'}
        blocked={blocked}
        deposit="Tokens at the current price"
        session={{
          ...session,
          sign: async (transaction) => {
            setSigning(true);
            try {
              return await session.sign(transaction);
            } finally {
              setSigning(false);
            }
          },
        }}
        prepare={prepare}
        asked={(shown) => {
          if ('maximumSolCost' in shown !== (side === 'buy'))
            throw new Error('This is not the trade that was asked for.');
          return askedOf(token.mintAddress, body, shown);
        }}
        about={(trade) => (
          <p>
            {'maximumSolCost' in trade && spends
              ? `You pay ${trade.solCost} SOL and receive ${amount(own, trade.tokenAmount)} at the current price, and ${amount(own, trade.minimumTokenAmount)} at least.`
              : 'maximumSolCost' in trade
                ? `You receive ${amount(own, trade.tokenAmount)} for ${trade.solCost} SOL at the current price, and pay ${trade.maximumSolCost} SOL at most.`
                : `You sell ${amount(own, trade.tokenAmount)} for ${trade.solReceived} SOL at the current price, and receive ${trade.minimumSolReceived} SOL at least.`}
          </p>
        )}
        onDone={props.done}
      />
    </>
  );
}

/** Buying from the curve and selling to the curve, with a wallet. */
export function Trade(props: { token: Schemas['Token']; done: () => void }) {
  return (
    <SignedIn what="buy or sell">
      {(session) => <Form key={session.wallet} session={session} token={props.token} done={props.done} />}
    </SignedIn>
  );
}
