import { Text } from '../form/field';
import { PERCENT, SOL } from '../ui/entered';
import type { Beginning } from './begin';

/** The opening of a curve: its creator's first purchase, the opening time, and a fee against bots that buy first. */
export function BeginFields(props: {
  readonly text: (name: keyof Beginning) => Omit<Parameters<typeof Text>[0], 'label'>;
  readonly open: boolean;
}) {
  const { text } = props;
  return (
    <details open={props.open}>
      <summary>First purchase, opening time and anti-bot fee</summary>
      <div class="pair">
        <Text
          {...text('initialBuyLamports')}
          label="Buy first, for"
          reads={SOL}
          optional
          hint="Your purchase is part of the transaction that opens the curve, so it comes before all others."
        />
        <Text
          {...text('startsAt')}
          type="datetime-local"
          label="Opens at"
          optional
          hint="In your own time, up to 31 days from now. Until then, the curve takes no trades."
        />
      </div>
      <div class="pair">
        <Text
          {...text('antiSniperFeePercent')}
          label="Fee at the opening"
          reads={PERCENT}
          optional
          hint="Up to 50%. It makes buying in the first seconds expensive, for you too, and falls to the trading fee."
        />
        <Text
          {...text('antiSniperMinutes')}
          label="Falls within"
          reads={{ unit: 'minutes' }}
          optional
          hint="1 to 60."
        />
      </div>
    </details>
  );
}
