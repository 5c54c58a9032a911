import { useState } from 'preact/hooks';
import { answer, bearer } from 'tokenlaunch/api';
import { api } from '../api/client';
import { CallProblem, useCall } from '../mine/call';
import { sol } from '../ui/amount';
import { Notice } from '../ui/parts';
import type { Session } from '../wallet/session';
import type { Holding } from './row';

/** Returns whether a token owes an amount that was not sent yet. */
export const claimable = (holding: Holding): boolean =>
  [holding, ...holding.arrears].some(({ owed, reserved }) => BigInt(owed) > BigInt(reserved));

/** Orders the immediate payment of a token's debt to the wallet. */
export function Claim(props: { session: Session; holding: Holding }) {
  const { session, holding } = props;
  const call = useCall();
  const [said, say] = useState<{ kind: 'good' | 'warn'; text: string } | null>(null);
  const claim = () => {
    say(null);
    void call.run(async () => {
      const { claims, feeLamports } = await answer(
        api.POST('/holders/{wallet}/claims', {
          params: { path: { wallet: session.wallet } },
          headers: bearer(session.token),
          body: { mints: [holding.mint] },
        }),
      );
      const [one] = claims;
      say(
        one?.problem
          ? { kind: 'warn', text: one.problem.detail }
          : {
              kind: 'good',
              text: `You are paid within minutes, less ${sol(feeLamports)} for the transactions, if it is worth it then.`,
            },
      );
    });
  };
  return (
    <>
      <CallProblem call={call} lost="As far as is known, nothing was claimed." />
      {said ? (
        <Notice kind={said.kind}>
          <p>{said.text}</p>
        </Notice>
      ) : null}
      {said?.kind === 'good' ? null : (
        <button type="button" class="plain" disabled={call.busy} onClick={claim}>
          {call.busy ? 'Claiming …' : 'Claim now'}
          <span class="hidden"> what {holding.name} owes you</span>
        </button>
      )}
    </>
  );
}
