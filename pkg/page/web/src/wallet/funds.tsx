import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { problemFrom } from '../api/problem';
import { config } from '../config';
import { sol } from '../ui/amount';
import { Address, Notice } from '../ui/parts';
import { airdrop, balance } from './node';
import type { Unsigned } from './unsigned';

/** On top of what is missing, so that the next transaction can be paid, too. */
const MORE = 1_000_000_000n;

/**
 * How the transaction would go, and what is missing. Who gets the SOL meanwhile need not have the
 * transaction made again: the balance is looked at.
 */
export function Funds(props: {
  unsigned: Unsigned;
  wallet: string;
  children: (ready: boolean) => ComponentChildren;
}) {
  const { simulation, cost } = props.unsigned;
  const [funded, setFunded] = useState(false);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  const lacksSol = simulation.missingLamports !== undefined;
  // Other reasons do not go away by SOL: only the lack of it can be mended here.
  const mendable =
    lacksSol && simulation.missingTokens === undefined && simulation.reason === 'insufficient_funds';
  const ready = simulation.ok || (mendable && funded);

  const look = async (before: () => Promise<void>) => {
    setBusy(true);
    setSaid('');
    try {
      await before();
      const has = await balance(props.wallet);
      const enough = has >= BigInt(cost.totalLamports);
      setFunded(enough);
      if (!enough) setSaid(`Your wallet has ${sol(has)}, which is not enough yet.`);
    } catch (cause) {
      setSaid(problemFrom(cause).message);
    }
    setBusy(false);
  };
  const missing = BigInt(simulation.missingLamports ?? '0');
  return (
    <>
      {ready ? (
        <Notice kind="good">
          <p>
            {funded
              ? 'Your wallet has enough now.'
              : 'It was tried on the chain as it is now, and would go through.'}
          </p>
        </Notice>
      ) : (
        <Notice kind="warn">
          <p>As things are it would fail. {reasons[simulation.reason ?? ''] ?? simulation.detail}</p>
          {lacksSol ? (
            <>
              <p>
                Your wallet lacks <strong>{sol(missing)}</strong>. Send it to{' '}
                <Address address={props.wallet} of="your address" />.
              </p>
              {config.burner ? (
                <button
                  type="button"
                  disabled={busy}
                  onClick={() => void look(() => airdrop(props.wallet, missing + MORE))}
                >
                  {busy ? 'Asking for SOL …' : `Get ${sol(missing + MORE, 2)} for play`}
                </button>
              ) : null}{' '}
              <button type="button" class="plain" disabled={busy} onClick={() => void look(async () => {})}>
                I have sent it: look again
              </button>
            </>
          ) : null}
          {said ? <p>{said}</p> : null}
        </Notice>
      )}
      {props.children(ready)}
    </>
  );
}

const reasons: Readonly<Record<string, string>> = {
  insufficient_funds: '',
  insufficient_tokens: 'Your wallet has not enough of the token.',
  program_unavailable: 'This network does not have the program that it needs.',
};
