import type { Schemas } from 'tokenlaunch/api';
import { assetOf, brief } from '../asset';
import { Section } from '../parts';
import { useWidth } from '../width';
import { FlowPicture } from './picture';
import { sentences, shares } from './shares';

/** The uses of the tax: a picture to scale, and the same in sentences. */
export function Flow(props: { token: Schemas['Token'] }) {
  const { token } = props;
  const s = shares(token);
  const reward = assetOf(token.settings.rewardToken, token);
  const own = reward.id === token.mintAddress;
  const minimum = token.settings.minimumHoldingRequirement;
  const [ref, width] = useWidth<HTMLDivElement>();
  return (
    <Section id="tax" title="Where the tax goes">
      <div class="flow-box">
        {s.tax > 0 ? (
          <div ref={ref}>
            <FlowPicture shares={s} reward={reward.name} own={own} width={width} />
          </div>
        ) : null}
        <ul class="plain-list">
          {sentences(s, token.symbol, reward.name, token.settings.distributionInterval).map(
            ({ part, text }) => (
              <li key={text} class={part ? `swatch flow-${part}` : undefined}>
                {text}
              </li>
            ),
          )}
          {BigInt(minimum) > 1n && s.tax > 0 ? (
            <li>Holders with less than {brief(assetOf(token.mintAddress, token), minimum)} get no share.</li>
          ) : null}
        </ul>
      </div>
      <p class="faint">
        The creator can change these shares and the reward for future distributions. Each distribution below
        shows the settings it used.
      </p>
    </Section>
  );
}
