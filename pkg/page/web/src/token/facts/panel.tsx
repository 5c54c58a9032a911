import type { Schemas } from '../../api/client';
import { Address } from '../../ui/parts';
import { Look, Section } from '../parts';
import { type Fact, facts } from './facts';

const marks = { good: 'Locked', open: 'Not locked', odd: 'Unclear' } as const;

function Row(props: { fact: Fact; mint: string }) {
  const { fact } = props;
  const nobody = fact.value === 'nobody';
  return (
    <li class={`fact ${fact.kind}`}>
      <p>
        <strong class="mark">{fact.key === 'collect' ? 'Published' : marks[fact.kind]}</strong> {fact.says}
      </p>
      <p class="faint">
        Check it: <Look address={props.mint}>open the mint in the explorer</Look>. The field “{fact.field}” is{' '}
        {nobody ? 'empty or “none”' : <Address address={fact.value} of={`address of ${fact.field}`} />}.
      </p>
    </li>
  );
}

/** Who can still change what, in words, each with how to check it. */
export function Facts(props: { token: Schemas['Token'] }) {
  return (
    <Section id="facts" title="What can still change">
      <ul class="facts">
        {facts(props.token).map((fact) => (
          <Row fact={fact} mint={props.token.mintAddress} key={fact.key} />
        ))}
      </ul>
    </Section>
  );
}
