import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { problemFrom } from 'tokenlaunch/api';
import { words } from 'tokenlaunch/network';
import { config } from '../config';
import { decimal, SOL_DECIMALS, sol } from '../ui/amount';
import { Address, Notice } from '../ui/parts';
import { airdrop, simulate } from './node';
import type { Unsigned } from './unsigned';

interface Props {
  readonly unsigned: Unsigned;
  readonly wallet: string;
  readonly children: (ready: boolean) => ComponentChildren;
}

/** Added to the missing amount, so that the next transaction can be paid, too. */
const MORE = 1_000_000_000n;

/**
 * The simulated result of the transaction, and the missing funds. After the funds arrive, the same
 * transaction is simulated again.
 */
export function Funds(props: Props) {
  const { simulation } = props.unsigned;
  const [mended, setMended] = useState(false);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  const ready = simulation.ok || mended;

  const look = async (before: () => Promise<void>) => {
    setBusy(true);
    setSaid('');
    try {
      await before();
      const err = await simulate(props.unsigned.transaction);
      setMended(err === null);
      if (err !== null) setSaid(`It would still fail: ${words(err)}`);
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
            {mended ? 'Your wallet has what it needs now: ' : 'Simulated on the chain as it is now: '}it would
            succeed.
          </p>
        </Notice>
      ) : (
        <Notice kind="warn">
          <p>Right now it would fail. {reasons[simulation.reason ?? ''] ?? simulation.detail}</p>
          {missing > 0n ? (
            <p>
              Your wallet needs <strong>{sol(missing)}</strong> more. Send it to{' '}
              <Address address={props.wallet} of="your address" />.
            </p>
          ) : null}
          <p class="buttons">
            {missing > 0n && config.burner ? (
              <button
                type="button"
                disabled={busy}
                onClick={() => void look(() => airdrop(props.wallet, missing + MORE))}
              >
                {busy ? 'Getting demo SOL …' : `Get ${decimal(missing + MORE, SOL_DECIMALS, 2)} demo SOL`}
              </button>
            ) : null}
            <button type="button" class="plain" disabled={busy} onClick={() => void look(async () => {})}>
              Check again
            </button>
          </p>
          {said ? <p>{said}</p> : null}
        </Notice>
      )}
      {props.children(ready)}
    </>
  );
}

const reasons: Readonly<Record<string, string>> = {
  insufficient_funds: '',
  insufficient_tokens: 'Your wallet does not have enough of the token.',
  program_unavailable: 'This network does not have the program it needs.',
};
