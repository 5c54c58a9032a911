import { useState } from 'preact/hooks';
import type { Checkers } from '../form/document';
import type { Session } from '../wallet/session';
import { CurveForm } from './curve';
import type { Launched } from './draft';
import { PoolForm } from './pool';

/** The properties of the markets' forms. */
export interface MarketProps {
  readonly session: Session;
  readonly token: Launched;
  /** Null until the document is loaded; the service checks in any case. */
  readonly checkers: Checkers | null;
  readonly onLock: (locked: boolean) => void;
  /** A transaction with the typed values is under review, so the values must not change. */
  readonly locked: boolean;
}

const kinds = [
  ['curve', 'Bonding curve', 'Deposit tokens only. The price starts low and rises with every purchase.'],
  ['pool', 'Pool', 'Deposit tokens and SOL. Their ratio sets the starting price.'],
] as const;

/** The optional last step: a market for the token. */
export function Market(props: Omit<MarketProps, 'onLock' | 'locked'>) {
  const [kind, setKind] = useState('curve');
  const [locked, setLocked] = useState(false);
  const Form = kind === 'pool' ? PoolForm : CurveForm;
  return (
    <>
      <p>
        Your token has no market yet. Open one now or later, but before you hand out tokens: a token has one
        curve and one pool, and they belong to the first wallet to open them.
      </p>
      <fieldset class="kinds" disabled={locked}>
        <legend class="hidden">Kind of market</legend>
        {kinds.map(([value, name, about]) => (
          <label key={value} class="card">
            <input
              type="radio"
              name="market"
              value={value}
              checked={kind === value}
              onChange={() => setKind(value)}
            />{' '}
            <strong>{name}</strong>
            <span class="faint">{about}</span>
          </label>
        ))}
      </fieldset>
      <Form key={kind} {...props} onLock={setLocked} locked={locked} />
    </>
  );
}
