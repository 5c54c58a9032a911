import { useState } from 'preact/hooks';
import type { Schemas } from '../../api/client';
import { problemFrom } from '../../api/problem';
import { config } from '../../config';
import { Address } from '../../ui/parts';
import { Look, Section } from '../parts';
import { type Fact, facts } from './facts';
import type { Check } from './onchain';

const marks = { good: 'Locked', open: 'Not locked', odd: 'Unclear' } as const;

/** What the chain said to a fact, when it was asked. */
function Said(props: { check: Check }) {
  const { agrees, says } = props.check;
  return (
    <p class={agrees ? 'said agrees' : 'said differs'}>
      {agrees ? '✓' : '✗ This differs.'} {says}
    </p>
  );
}

function Row(props: { fact: Fact; mint: string; check: Check | undefined }) {
  const { fact, check } = props;
  const nobody = fact.value === 'nobody';
  return (
    <li class={`fact ${fact.kind}`}>
      <p>
        <strong class="mark">{fact.key === 'collect' ? 'Published' : marks[fact.kind]}</strong> {fact.says}
      </p>
      <details class="how">
        <summary>How to check it</summary>
        <Look address={props.mint}>Open the mint in the explorer</Look>. The field “{fact.field}” is{' '}
        {nobody ? 'empty or “none”' : <Address address={fact.value} of={`address of ${fact.field}`} />}.
      </details>
      {check ? <Said check={check} /> : null}
    </li>
  );
}

/** Who can still change what, in words, each with how to check it. */
export function Facts(props: { token: Schemas['Token'] }) {
  const { token } = props;
  const [asking, setAsking] = useState(false);
  const [checks, setChecks] = useState<readonly Check[] | null>(null);
  const [trouble, setTrouble] = useState('');
  const ask = () => {
    setAsking(true);
    setTrouble('');
    import('./onchain')
      .then(({ check }) => check(token))
      .then(setChecks, (cause) => setTrouble(problemFrom(cause).message))
      .finally(() => setAsking(false));
  };
  const differing = checks?.filter((c) => !c.agrees).length ?? 0;
  return (
    <Section id="facts" title="What can still change">
      <ul class="facts">
        {facts(token).map((fact) => (
          <Row
            fact={fact}
            mint={token.mintAddress}
            check={checks?.find((c) => c.key === fact.key)}
            key={fact.key}
          />
        ))}
      </ul>
      <div class="check-all">
        <button type="button" class="plain" onClick={ask} disabled={asking}>
          {asking ? 'Asking the chain …' : 'Ask the chain now'}
        </button>
        <p aria-live="polite" class={differing || trouble ? 'differs' : 'faint'}>
          {trouble ||
            (checks === null
              ? `Your browser reads the mint from the Solana node ${new URL(config.rpcUrl).host}, not from us.`
              : differing
                ? `The chain says otherwise in ${differing} of ${checks.length} points. Believe the chain.`
                : `The chain says the same in all ${checks.length} points.`)}
        </p>
      </div>
    </Section>
  );
}
