import type { ComponentChildren } from 'preact';
import type { Checker, Wrong } from '../form/document';
import { Check, Choice, Text } from '../form/field';
import {
  BASIS_HINT,
  basisOptions,
  DELAY_HINT,
  delayOptions,
  intervalOptions,
  splitHint,
} from '../form/options';
import { Sharing } from '../form/sharing';
import { LINKS } from '../token/links';
import { PERCENT } from '../ui/entered';
import { draft, type Fields, type TextField, type } from './draft';

interface Props {
  /** The errors to show. */
  readonly wrong: Wrong;
  readonly checker: Checker | null;
  readonly locked: boolean;
  readonly onLeave: (field: string) => void;
  readonly onType: (field: string) => void;
}

/** The token's name, its supply, and the division of its tax. */
export function Form(props: Props) {
  const { fields } = draft.value;
  const common = (name: keyof Fields) => ({
    name,
    error: props.wrong[name],
    onLeave: () => props.onLeave(name),
  });
  const set =
    <K extends keyof Fields>(name: K) =>
    (value: Fields[K]) => {
      type(name, value);
      props.onType(name);
    };
  const text = (name: TextField) => ({ ...common(name), value: fields[name], onValue: set(name) });
  const flag = (name: 'transferFeeAdjustable' | 'immutableMetadata') => ({
    ...common(name),
    value: fields[name],
    onValue: set(name),
  });
  const own = { unit: fields.symbol.trim() || 'tokens', decimals: Number(fields.decimals) };
  const split = fields.creatorSplits.trim() !== '';
  const most = (name: string, otherwise: number) => props.checker?.field(name).maxLength ?? otherwise;
  return (
    <fieldset class="form" disabled={props.locked}>
      <legend class="hidden">Your token</legend>
      <Group title="Basics">
        <div class="pair">
          <Text
            {...text('name')}
            label="Name"
            needed
            hint={`Up to ${most('name', 32)} characters.`}
            placeholder="Paper Crane"
          />
          <Text
            {...text('symbol')}
            label="Symbol"
            needed
            hint={`Up to ${most('symbol', 10)} characters.`}
            placeholder="CRANE"
          />
        </div>
        <Text {...text('description')} optional label="Description" lines={3} />
        <Text
          {...text('supply')}
          label="Supply"
          needed
          reads={own}
          hint="Whole tokens. All are minted once and sent to you."
        />
      </Group>
      <Group title="Tax and rewards">
        <Text
          {...text('transferFeePercent')}
          label="Tax on every transfer"
          needed
          reads={PERCENT}
          hint="Also on buys and sells. Holders are paid from it."
        />
        <div class="pair">
          <Text
            {...text('burnPercent')}
            label="Share to burn"
            reads={PERCENT}
            hint="Burned tokens are gone permanently."
          />
          <Text
            {...text('developerFeePercent')}
            label="Share for you"
            reads={PERCENT}
            hint="Holders get the rest."
          />
        </div>
        <div class="pair">
          <Choice
            {...common('reward')}
            label="Pay holders in"
            value={fields.reward}
            onValue={set('reward')}
            options={[
              ['SOL', 'SOL'],
              ['USDC', 'USDC'],
              ['other', 'Another token'],
            ]}
          />
          <Choice
            {...common('distributionInterval')}
            label="Payout interval"
            value={fields.distributionInterval}
            onValue={set('distributionInterval')}
            options={intervalOptions}
          />
        </div>
        {fields.reward === 'other' || props.wrong.rewardToken ? (
          <Text
            {...text('rewardToken')}
            label="Mint address of the reward token"
            needed
            hint="It must be tradable for the tax."
          />
        ) : null}
      </Group>
      <Group title="Links">
        <div class="pair">
          {LINKS.map(({ name, label, example, keys }) => (
            <Text {...text(name)} key={name} optional label={label} placeholder={example} keys={keys} />
          ))}
        </div>
      </Group>
      <details class="advanced">
        <summary>More settings</summary>
        <p class="hint">
          By default the token has 6 decimals, every holder is paid, all of the tax is paid out each time,
          your share goes to this wallet, the tax is fixed, and you can still change the name and picture.
        </p>
        <Choice
          {...common('rewardBasis')}
          label="Who is paid"
          value={fields.rewardBasis}
          onValue={set('rewardBasis')}
          options={basisOptions}
          hint={BASIS_HINT}
        />
        <Text
          {...text('minimumHoldersPercent')}
          label="Share that holders always get"
          reads={PERCENT}
          hint="A promise: you can raise it later, and never lower it."
        />
        <Choice
          {...common('changeDelay')}
          label="Delay of changes for the worse"
          value={fields.changeDelay}
          onValue={set('changeDelay')}
          options={delayOptions}
          hint={DELAY_HINT}
        />
        <Text
          {...text('minimumHoldingRequirement')}
          label="Minimum holding to be paid"
          reads={own}
          hint="Whole tokens."
        />
        <Text
          {...text('percentageToSellPerDistribution')}
          label="Collected tax paid out each time"
          reads={PERCENT}
        />
        <Text
          {...text('developerWallet')}
          label="Wallet for your share"
          fixed={split}
          hint={
            split
              ? 'The wallets below get your share in its place.'
              : 'Leave empty to use the wallet you launch with.'
          }
        />
        <Sharing {...text('creatorSplits')} label="Wallets that share it" hint={splitHint} />
        <Choice
          {...common('decimals')}
          label="Decimals"
          value={fields.decimals}
          onValue={set('decimals')}
          options={(props.checker?.field('decimals').enum ?? [6, 9]).map(
            (d) => [String(d), String(d)] as const,
          )}
          hint="How finely a token can be divided."
        />
        <Check
          {...flag('transferFeeAdjustable')}
          label="Let me change the tax later"
          hint="Holders trust a fixed tax more."
        />
        <Check {...flag('immutableMetadata')} label="Lock the name, symbol and picture permanently" />
        <Text
          {...text('guardian')}
          label="Guardian"
          optional
          hint="The key that the guardian itself publishes. Then two of three collect the tax: this service, the guardian and you. Costs a little more."
        />
      </details>
    </fieldset>
  );
}

function Group(props: { title: string; children: ComponentChildren }) {
  return (
    <fieldset class="group">
      <legend>{props.title}</legend>
      {props.children}
    </fieldset>
  );
}
