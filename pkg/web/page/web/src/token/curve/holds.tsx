import type { Schemas } from 'tokenlaunch/api';
import { useLoad } from '../../api/load';
import { decimal, SOL_DECIMALS, sol } from '../../ui/amount';
import { balance, tokens } from '../../wallet/node';
import { assetOf, brief } from '../asset';

/** Lamports that stay in a wallet that spends the maximum: the network's fees, and rent for a token account. */
export const RESERVE = 10_000_000n;

/** Amounts to pay, in SOL, that a button enters. */
const PRESETS = ['0.1', '0.5', '1'] as const;

/** Parts of the wallet's tokens that a button enters, in percent. */
const PARTS = [25n, 50n, 75n, 100n] as const;

/** Returns an amount as typed, without separators. */
const typed = (units: bigint, decimals: number): string => decimal(units, decimals).replaceAll(',', '');

/** Returns the amounts that buttons enter, with the buttons' names. `held` is null while not known. */
export function choices(spends: boolean, held: bigint | null, decimals: number): [string, string][] {
  if (!spends)
    return held === null || held === 0n
      ? []
      : PARTS.map((part) => [part === 100n ? 'Max' : `${part}%`, typed((held * part) / 100n, decimals)]);
  const most = held === null ? 0n : held - RESERVE;
  return [
    ...PRESETS.map((preset): [string, string] => [`${preset} SOL`, preset]),
    ...(most > 0n ? ([['Max', typed(most, SOL_DECIMALS)]] as [string, string][]) : []),
  ];
}

/** The wallet's balance for a trade, with buttons that enter amounts. Without the node's answer, the balance is left out. */
export function Holds(props: {
  wallet: string;
  token: Schemas['Token'];
  spends: boolean;
  onText: (text: string) => void;
}) {
  const { wallet, token, spends } = props;
  const load = useLoad(`holds ${wallet} ${spends ? 'SOL' : token.mintAddress}`, () =>
    spends ? balance(wallet) : tokens(wallet, token.mintAddress),
  );
  const held = load.data;
  return (
    <div class="buttons">
      {choices(spends, held, token.decimals).map(([name, text]) => (
        <button type="button" class="small plain" key={name} onClick={() => props.onText(text)}>
          {name}
        </button>
      ))}
      {held === null ? null : (
        <span class="faint">
          You have {spends ? sol(held, 4) : brief(assetOf(token.mintAddress, token), held)}.
        </span>
      )}
    </div>
  );
}
