import { useState } from 'preact/hooks';
import { answer, bearer } from 'tokenlaunch/api';
import { api } from '../api/client';
import { sol } from '../ui/amount';
import { CallProblem, useCall } from '../ui/call';
import { Notice } from '../ui/parts';
import type { Session } from '../wallet/session';
import type { Holding } from './row';

/** Returns whether a token owes an amount that was not sent yet. */
export const claimable = (holding: Holding): boolean =>
  [holding, ...holding.arrears].some(({ owed, reserved }) => BigInt(owed) > BigInt(reserved));

/** Orders the payment of the debts of tokens to the session's wallet. */
const order = (session: Session, tokens: readonly Holding[]) =>
  answer(
    api.POST('/holders/{wallet}/claims', {
      params: { path: { wallet: session.wallet } },
      headers: bearer(session.token),
      body: { mints: tokens.map((t) => t.mint) },
    }),
  );

/** The maximum number of tokens in a claim, from the API. */
const MAX_CLAIMS = 20;

/** Orders the immediate payment of the debts of all tokens that owe the wallet. */
export function ClaimAll(props: { session: Session; tokens: readonly Holding[] }) {
  const { session } = props;
  const call = useCall();
  const [said, say] = useState<{ accepted: number; refused: string[]; fee: string } | null>(null);
  const owing = props.tokens.filter(claimable);
  const tokens = owing.slice(0, MAX_CLAIMS);
  if (tokens.length < 2) return null;
  const claim = () => {
    say(null);
    void call.run(async () => {
      const { claims, feeLamports } = await order(session, tokens);
      const name = (mint: string) => tokens.find((t) => t.mint === mint)?.symbol ?? mint;
      say({
        accepted: claims.filter((c) => !c.problem).length,
        refused: claims.flatMap((c) => (c.problem ? [`${name(c.mint)}: ${c.problem.detail}`] : [])),
        fee: feeLamports,
      });
    });
  };
  return (
    <>
      <CallProblem call={call} lost="As far as is known, nothing was claimed." />
      {said ? (
        <Notice kind={said.accepted > 0 ? 'good' : 'warn'}>
          {said.accepted > 0 ? (
            <p>
              {said.accepted === 1 ? 'One token pays' : `${said.accepted} tokens pay`} you within minutes,
              each less {sol(said.fee)} for the transactions, if it is worth it then.
            </p>
          ) : null}
          {said.refused.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </Notice>
      ) : null}
      {said && said.accepted > 0 ? null : (
        <p>
          <button type="button" disabled={call.busy} onClick={claim}>
            {call.busy
              ? 'Claiming …'
              : owing.length > tokens.length
                ? `Claim from ${tokens.length} of ${owing.length} tokens`
                : `Claim all, from ${tokens.length} tokens`}
          </button>
        </p>
      )}
    </>
  );
}

/** Orders the immediate payment of a token's debt to the wallet. */
export function Claim(props: { session: Session; holding: Holding }) {
  const { session, holding } = props;
  const call = useCall();
  const [said, say] = useState<{ kind: 'good' | 'warn'; text: string } | null>(null);
  const claim = () => {
    say(null);
    void call.run(async () => {
      const { claims, feeLamports } = await order(session, [holding]);
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
