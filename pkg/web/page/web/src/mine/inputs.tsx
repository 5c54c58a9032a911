import type { Wrong } from '../form/document';
import { Choice, Text } from '../form/field';
import {
  BASIS_HINT,
  basisOptions,
  DELAY_HINT,
  delayOptions,
  intervalOptions,
  splitHint,
} from '../form/options';
import { Sharing } from '../form/sharing';
import { usdc } from '../form/usdc';
import { PERCENT } from '../ui/entered';
import { type Field, type Fields, labels } from './fields';

interface Props {
  readonly values: Fields;
  readonly wrong: Wrong;
  readonly symbol: string;
  readonly decimals: number;
  /** Fields with unsaved changes. */
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
        <Choice {...common('distributionInterval')} options={intervalOptions} />
        <Choice
          {...common('rewardToken')}
          name={reward === '' ? 'reward' : 'rewardToken'}
          error={reward === '' ? undefined : props.wrong.rewardToken}
          value={reward}
          options={[
            ['SOL', 'SOL'],
            [usdc(), 'USDC'],
            ['', 'Another token'],
          ]}
        />
      </div>
      {reward === '' ? (
        <Text
          {...common('rewardToken')}
          label="Mint address of the reward token"
          needed
          hint="It must be tradable for the tax."
        />
      ) : null}
      <div class="pair">
        <Text {...common('burnPercent')} needed reads={PERCENT} hint="Burned tokens are gone permanently." />
        <Text {...common('developerFeePercent')} needed reads={PERCENT} hint="Holders get the rest." />
      </div>
      <Text {...common('developerWallet')} needed fixed={values.creatorSplits.trim() !== ''} />
      <Sharing {...common('creatorSplits')} hint={splitHint} />
      <Choice {...common('rewardBasis')} options={basisOptions} hint={BASIS_HINT} />
      <Text
        {...common('minimumHoldersPercent')}
        needed
        reads={PERCENT}
        hint="Can only be raised. You cannot take this share back."
      />
      <Choice {...common('changeDelay')} options={delayOptions} hint={DELAY_HINT} />
      <div class="pair">
        <Text {...common('percentageToSellPerDistribution')} needed reads={PERCENT} />
        <Text
          {...common('minimumHoldingRequirement')}
          needed
          reads={{ unit: props.symbol, decimals: props.decimals }}
        />
      </div>
      <Text
        {...common('telegramGroupId')}
        hint="Gets a message about every distribution and change, once an administrator of the group agrees. Enter its public name, such as @crane_holders, or its number, such as -1001234567890."
      />
    </>
  );
}
