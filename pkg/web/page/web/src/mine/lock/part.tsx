import { useState } from 'preact/hooks';
import type { Schemas } from 'tokenlaunch/api';
import { useLater } from '../../ui/fetched';
import { remembered } from '../../wallet/pending';
import type { Session } from '../../wallet/session';

/** The part for locking tokens over time. The form is fetched on request, or if a lock is in progress. */
export function Lock(props: { session: Session; token: Schemas['Token'] }) {
  const { session, token } = props;
  const [wanted, want] = useState(() => remembered('lock', token.mintAddress, session.wallet) !== null);
  const form = useLater(wanted, () => import('./form'));
  return (
    <>
      <p>
        Put some of your tokens away in an escrow that releases them over time. It is Jupiter Lock’s, and
        anyone can look it up. No one can cancel it, not even you.
      </p>
      {form === 'failed' ? (
        <p>The form failed to load. Reload the page.</p>
      ) : form ? (
        <form.LockForm {...props} />
      ) : (
        <button type="button" class="plain" disabled={wanted} onClick={() => want(true)}>
          {wanted ? 'Loading …' : 'Lock tokens'}
        </button>
      )}
    </>
  );
}
