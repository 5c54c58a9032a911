import { usdc } from '../launch/body';
import type { Wrong } from '../launch/document';
import { Choice, Text } from '../launch/field';
import { intervals } from '../launch/words';
import { type Field, type Fields, labels } from './fields';

interface Props {
  readonly values: Fields;
  readonly wrong: Wrong;
  readonly symbol: string;
  /** Fields that are not as the service has them. */
  readonly changed: readonly Field[];
  readonly onValue: (field: Field, value: string) => void;
  readonly onLeave: (field: Field) => void;
}

/** The fields of the settings. */
export function Inputs(props: Props) {
  const { values } = props;
  const common = (name: Field) => ({
    name,
    label: `${labels[name]}${props.changed.includes(name) ? ' •' : ''}`,
    value: values[name],
    error: props.wrong[name],
    onLeave: () => props.onLeave(name),
    onValue: (value: string) => props.onValue(name, value),
  });
  const reward = values.rewardToken === 'SOL' || values.rewardToken === usdc() ? values.rewardToken : '';
  return (
    <>
      <div class="pair">
        <Choice {...common('distributionInterval')} options={intervals} />
        <Choice
          {...common('rewardToken')}
          name={reward === '' ? 'reward' : 'rewardToken'}
          error={reward === '' ? undefined : props.wrong.rewardToken}
          value={reward}
          options={[
            ['SOL', 'SOL'],
            [usdc(), 'USDC, a dollar token'],
            ['', 'another token'],
          ]}
        />
      </div>
      {reward === '' ? (
        <Text
          {...common('rewardToken')}
          label="Address of that token's mint"
          needed
          hint="It must be one that the tax can be exchanged for."
        />
      ) : null}
      <div class="pair">
        <Text
          {...common('burnPercent')}
          needed
          keys="decimal"
          unit="%"
          hint="Burned tokens are gone for ever."
        />
        <Text
          {...common('developerFeePercent')}
          needed
          keys="decimal"
          unit="%"
          hint="The holders share the rest."
        />
      </div>
      <Text {...common('developerWallet')} needed />
      <div class="pair">
        <Text {...common('percentageToSellPerDistribution')} needed keys="decimal" unit="%" />
        <Text {...common('minimumHoldingRequirement')} needed keys="decimal" unit={props.symbol} />
      </div>
      <Text
        {...common('telegramGroupId')}
        hint="It is told of every distribution and change. Its public name, such as @crane_holders, or its number, such as -1001234567890."
      />
    </>
  );
}
