import { useState } from 'preact/hooks';
import { answer, problemFrom, type Schemas } from 'tokenlaunch/api';
import { api } from '../../api/client';
import { useLoad } from '../../api/load';
import { config } from '../../config';
import { Address, Loaded } from '../../ui/parts';
import { useSeen } from '../../ui/seen';
import { Look, Section } from '../parts';
import { ending, type Fact, facts, handed, terms } from './facts';
import type { Check } from './onchain';

const marks = { good: 'Locked', open: 'Can change', odd: 'Unclear' } as const;

/** The chain's result for a fact, after a check. */
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
  const none = fact.value === 'none';
  return (
    <li class={`fact ${fact.kind}`}>
      <p>
        <strong class="mark">{fact.key === 'collect' ? 'Public' : marks[fact.kind]}</strong> {fact.says}
      </p>
      <details class="how">
        <summary>How to check</summary>
        <Look address={props.mint}>Open the mint in an explorer</Look>. The field “{fact.field}” is{' '}
        {none ? 'empty or “none”' : <Address address={fact.value} of={`address of ${fact.field}`} />}.
      </details>
      {check ? <Said check={check} /> : null}
    </li>
  );
}

/** The remaining rights to change the token, in words, each with a way to check. */
export function Facts(props: { token: Schemas['Token'] }) {
  const { token } = props;
  const [asking, setAsking] = useState(false);
  const [checks, setChecks] = useState<readonly Check[] | null>(null);
  const [trouble, setTrouble] = useState('');
  const [place, seen] = useSeen<HTMLDivElement>();
  const launched = token.status === 'confirmed';
  const load = useLoad(seen && launched ? `handover ${token.mintAddress}` : null, () =>
    answer(api.GET('/distribution/{tokenId}/handover', { params: { path: { tokenId: token.mintAddress } } })),
  );
  const news = [ending(token), handed(token, load.data)].filter((says) => says !== null);
  const ask = () => {
    setAsking(true);
    setTrouble('');
    import('./onchain')
      .then(({ check }) => check(token, load.data))
      // Without the service's answer, a new authority would look wrong.
      .then((all) => setChecks(launched && !load.data ? all.filter((c) => c.key !== 'collect') : all))
      .catch((cause) => setTrouble(problemFrom(cause).message))
      .finally(() => setAsking(false));
  };
  const differing = checks?.filter((c) => !c.agrees).length ?? 0;
  return (
    <Section id="facts" title="What can still change">
      <div ref={place} />
      {launched ? (
        <Loaded load={load} what="the hand-over of the tax">
          {() => null}
        </Loaded>
      ) : null}
      {news.map((says) => (
        <p class="remark" key={says}>
          {says}
        </p>
      ))}
      <ul class="facts">
        {terms(token).map(({ kind, says }) => (
          <li class={`fact ${kind}`} key={says}>
            <p>
              <strong class="mark">{marks[kind]}</strong> {says}
            </p>
          </li>
        ))}
        {facts(token, load.data).map((fact) => (
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
          {asking ? 'Checking …' : 'Check on chain'}
        </button>
        <p aria-live="polite" class={differing || trouble ? 'differs' : 'faint'}>
          {trouble ||
            (checks === null
              ? `Your browser reads the mint from the Solana node ${new URL(config.rpcUrl).host}, not from us.`
              : differing
                ? `The chain disagrees on ${differing} of ${checks.length} points. Trust the chain.`
                : `The chain agrees on all ${checks.length} points.`)}
        </p>
      </div>
    </Section>
  );
}
