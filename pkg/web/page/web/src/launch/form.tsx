import type { ComponentChildren } from 'preact';
import type { Checker, Wrong } from './document';
import { draft, type Fields, type TextField, type } from './draft';
import { Check, Choice, Text } from './field';
import { intervals } from './words';

interface Props {
  /** What is to be told as wrong. */
  readonly wrong: Wrong;
  readonly checker: Checker | null;
  readonly locked: boolean;
  readonly onLeave: (field: string) => void;
  readonly onType: (field: string) => void;
}

/** What the token is called, how many there are, and how its tax is shared. */
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
  const most = (name: string, otherwise: number) => props.checker?.field(name).maxLength ?? otherwise;
  return (
    <fieldset class="form" disabled={props.locked}>
      <legend class="hidden">Your token</legend>
      <Group title="What it is">
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
          label="How many"
          needed
          keys="decimal"
          hint="Whole tokens. They are all made at once and come to you."
        />
      </Group>
      <Group title="Tax and rewards">
        <Text
          {...text('transferFeePercent')}
          label="Tax on every transfer"
          needed
          keys="decimal"
          unit="%"
          hint="Also on buying and selling. It is what the holders are paid from."
        />
        <div class="pair">
          <Text
            {...text('burnPercent')}
            label="Of the tax, burn"
            keys="decimal"
            unit="%"
            hint="Burned tokens are gone for ever."
          />
          <Text
            {...text('developerFeePercent')}
            label="Of the tax, for you"
            keys="decimal"
            unit="%"
            hint="The holders share the rest."
          />
        </div>
        <div class="pair">
          <Choice
            {...common('reward')}
            label="Pay the holders in"
            value={fields.reward}
            onValue={set('reward')}
            options={[
              ['SOL', 'SOL'],
              ['USDC', 'USDC, a dollar token'],
              ['other', 'another token'],
            ]}
          />
          <Choice
            {...common('distributionInterval')}
            label="How often"
            value={fields.distributionInterval}
            onValue={set('distributionInterval')}
            options={intervals}
          />
        </div>
        {fields.reward === 'other' || props.wrong.rewardToken ? (
          <Text
            {...text('rewardToken')}
            label="Address of that token's mint"
            needed
            hint="It must be one that the tax can be exchanged for."
          />
        ) : null}
      </Group>
      <Group title="Links">
        <Text {...text('website')} optional label="Website" keys="url" placeholder="crane.example" />
        <div class="pair">
          <Text {...text('twitter')} optional label="X (Twitter)" placeholder="@crane" />
          <Text {...text('telegram')} optional label="Telegram" placeholder="@crane" />
        </div>
      </Group>
      <details class="advanced">
        <summary>More settings</summary>
        <p class="hint">
          Left alone, the token has 6 decimals, every holder is paid however little he holds, all of the tax
          is shared out each time, your part comes to this wallet, the tax is fixed for ever, and the name and
          the picture stay yours to change.
        </p>
        <Text
          {...text('minimumHoldingRequirement')}
          label="Least that a holder must have to be paid"
          keys="decimal"
          hint="Whole tokens."
        />
        <Text
          {...text('percentageToSellPerDistribution')}
          label="Part of the collected tax that is shared out each time"
          keys="decimal"
          unit="%"
        />
        <Text
          {...text('developerWallet')}
          label="Wallet for your part"
          hint="Empty means the wallet that you launch with."
        />
        <Choice
          {...common('decimals')}
          label="Decimals"
          value={fields.decimals}
          onValue={set('decimals')}
          options={(props.checker?.field('decimals').enum ?? [6, 9]).map(
            (d) => [String(d), String(d)] as const,
          )}
          hint="Into how small parts a token can be divided."
        />
        <Check
          {...flag('transferFeeAdjustable')}
          label="Keep the right to change the tax"
          hint="Holders trust a fixed tax more."
        />
        <Check {...flag('immutableMetadata')} label="Lock the name, the symbol and the picture for ever" />
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
