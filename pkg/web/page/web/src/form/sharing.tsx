import { Below, type Common, Text } from './field';
import { MAX_SPLITS, type Row, rowsOf, textOf } from './splits';

/** The wallets that share the creator's part: a row for each wallet, with its percentage. */
export function Sharing(
  props: Common & {
    /** The rows as a text; see textOf. */
    readonly value: string;
    readonly onValue: (value: string) => void;
  },
) {
  const { name, onValue } = props;
  const rows = rowsOf(props.value);
  const put = (next: readonly Row[]) => onValue(textOf(next));
  const set = (at: number, part: Partial<Row>) =>
    put(rows.map((row, i) => (i === at ? { ...row, ...part } : row)));
  return (
    <fieldset
      class="field sharing"
      id={name}
      tabIndex={-1}
      aria-describedby={`${name}-hint ${name}-error`}
      onFocusOut={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) props.onLeave?.();
      }}
    >
      <legend>{props.label}</legend>
      {rows.map((row, i) => (
        <div class="share" key={i}>
          <Text
            name={`${name}-${i + 1}-wallet`}
            label={`Wallet ${i + 1}`}
            value={row.wallet}
            onValue={(wallet) => set(i, { wallet })}
          />
          <Text
            name={`${name}-${i + 1}-percent`}
            label={`Percent for wallet ${i + 1}`}
            unit="%"
            keys="decimal"
            value={row.percent}
            onValue={(percent) => set(i, { percent })}
          />
          <button type="button" class="plain" onClick={() => put(rows.filter((_, at) => at !== i))}>
            Remove<span class="hidden"> wallet {i + 1}</span>
          </button>
        </div>
      ))}
      {rows.length < MAX_SPLITS ? (
        <button
          type="button"
          class="plain"
          onClick={() =>
            put([...rows, ...Array<Row>(rows.length === 0 ? 2 : 1).fill({ wallet: '', percent: '' })])
          }
        >
          {rows.length === 0 ? 'Share it between wallets' : 'Add a wallet'}
        </button>
      ) : null}
      <Below {...props} />
    </fieldset>
  );
}
