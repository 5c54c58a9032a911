import { useState } from 'preact/hooks';
import { Problem, type Schemas } from 'tokenlaunch/api';
import type { Checker } from '../form/document';
import { Text } from '../form/field';
import { reading } from '../form/reading';
import { useTyped } from '../form/typed';
import { number, PERCENT } from '../ui/entered';
import { basisPoints, percent } from '../ui/percent';
import type { Session } from '../wallet/session';
import { Transaction } from '../wallet/transaction';
import { changeSettings } from './change';

type Change = Schemas['UnsignedTransferFee'];

/** Changes the tax of a token whose creator kept this right. The chain stores the tax, not the service. */
export function TaxChange(props: {
  session: Session;
  token: Pick<Schemas['Token'], 'mintAddress' | 'transferFeePercent' | 'transferFeeAdjustable'>;
  checker: Checker | null;
}) {
  const { session, token, checker } = props;
  const mint = token.mintAddress;
  const form = useTyped(`tax:${mint}`, { transferFeePercent: '' });
  const [locked, setLocked] = useState(false);
  if (!token.transferFeeAdjustable)
    return (
      <p>
        {percent(basisPoints(token.transferFeePercent))} of every transfer. Fixed at launch; it cannot be
        changed.
      </p>
    );
  const { read, wrong } = reading();
  const body = {
    transferFeePercent: read('transferFeePercent', () => number(form.values.transferFeePercent)),
  };
  const bad = { ...checker?.check(body), ...wrong };
  return (
    <>
      <p>
        {percent(basisPoints(token.transferFeePercent))} of every transfer at launch. A new tax takes effect
        two to four days after you sign it, so everyone can see it coming.
      </p>
      <fieldset disabled={locked}>
        <legend class="hidden">New tax</legend>
        <Text
          name="transferFeePercent"
          label="New tax on every transfer"
          needed
          reads={PERCENT}
          value={form.values.transferFeePercent}
          onValue={(value) => form.type('transferFeePercent', value)}
          onLeave={() => form.leave('transferFeePercent')}
          error={form.shown(bad).transferFeePercent}
        />
      </fieldset>
      <Transaction<Change>
        kind="tax"
        of={mint}
        stamp={JSON.stringify(body)}
        session={session}
        title="Change the tax"
        label="Review change"
        back="Edit"
        blocked={Object.keys(bad).length > 0 ? 'Enter the new tax first.' : null}
        onLock={setLocked}
        prepare={(key) =>
          form.tell(async () => {
            const { transferFee } = await changeSettings(
              session,
              mint,
              body as { transferFeePercent: number },
              key,
            );
            if (!transferFee) throw new Problem('unexpected', 'The service returned no transaction.');
            return transferFee;
          })
        }
        asked={() => ({ kind: 'tax', mint, transferFeePercent: body.transferFeePercent ?? Number.NaN })}
        about={(change) => (
          <>
            <p>
              The tax is {percent(basisPoints(change.currentTransferFeePercent))} now, and becomes{' '}
              <strong>{percent(basisPoints(change.transferFeePercent))}</strong> in epoch{' '}
              {change.effectiveEpoch}. It is now epoch {change.currentEpoch}; an epoch takes about two days.
            </p>
            {change.replaces ? (
              <p>
                It replaces your pending change to {percent(basisPoints(change.replaces.transferFeePercent))}.
              </p>
            ) : null}
          </>
        )}
        onDone={() => form.type('transferFeePercent', '')}
      />
    </>
  );
}
