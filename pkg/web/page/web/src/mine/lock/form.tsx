import { useState } from 'preact/hooks';
import { answer, bearer, type Schemas } from 'tokenlaunch/api';
import { api } from '../../api/client';
import { Choice, Text } from '../../form/field';
import { keyOf } from '../../form/key';
import { useTyped } from '../../form/typed';
import { taxNow } from '../../token/facts/onchain';
import { decimal } from '../../ui/amount';
import { moment } from '../../ui/clock';
import { Address } from '../../ui/parts';
import type { Session } from '../../wallet/session';
import { Transaction } from '../../wallet/transaction';
import { atFirst, bodyOf, lastOf, type Typed } from './body';

type Body = Schemas['TokenLock'];
/** The service's response, and the chain's tax in percent, against which the page checks the response. */
type Unsigned = Schemas['UnsignedLock'] & { readonly tax: number };

const ADDRESS = /[1-9A-HJ-NP-Za-km-z]{32,44}/g;

/** Units of a period, in seconds. */
const each = [
  ['60', 'minutes'],
  ['3600', 'hours'],
  ['86400', 'days'],
] as const;

/** Locks tokens of the creator over time. */
export function LockForm(props: { session: Session; token: Schemas['Token'] }) {
  const { session, token } = props;
  const mint = token.mintAddress;
  const form = useTyped(`lock:${mint}`, atFirst);
  const [locked, setLocked] = useState(false);
  const [escrow, setEscrow] = useState('');
  const { values } = form;
  const { body, wrong } = bodyOf(values, token.decimals, Date.now());
  const shown = form.shown(wrong);
  /** The properties of a field. The document and the form have different names for the period. */
  const text = (name: keyof Typed, of: keyof Body) => ({
    name: `lock-${name}`,
    value: values[name],
    error: shown[of],
    onValue: (value: string) => form.type(name, value),
    onLeave: () => form.leave(of),
  });
  const several = (body.releases ?? 1) > 1;
  const own = (units: string) => `${decimal(units, token.decimals)} ${token.symbol}`;
  const prepare = (key: string): Promise<Unsigned> =>
    form.tell(async () => {
      // The tax decides the amount that leaves the wallet, so the page does not trust the service for the tax.
      const tax = await taxNow(mint);
      const given = await answer(
        api.POST('/tokens/{mintAddress}/lock/create-unsigned', {
          params: { path: { mintAddress: mint } },
          body: body as Body,
          headers: { ...bearer(session.token), ...(await keyOf(key, body)) },
        }),
      );
      return { ...given, tax };
    });
  return (
    <>
      <fieldset disabled={locked} hidden={escrow !== ''}>
        <legend class="hidden">What is locked, and until when</legend>
        <div class="pair">
          <Text
            {...text('tokenAmount', 'tokenAmount')}
            label={`${token.symbol} to lock`}
            needed
            reads={{ unit: token.symbol, decimals: token.decimals }}
            hint="What leaves your wallet at most. The tax applies to it, and to each release."
          />
          <Text
            {...text('recipient', 'recipient')}
            label="Recipient"
            optional
            hint="The wallet that can claim what is released, yours if empty. It cannot be changed later."
          />
        </div>
        <div class="pair">
          <Text
            {...text('firstReleaseAt', 'firstReleaseAt')}
            type="datetime-local"
            label="First release"
            needed
            hint="In your own time. Nothing can be claimed before."
          />
          <Text
            {...text('releases', 'releases')}
            label="Number of releases"
            needed
            keys="decimal"
            hint="In equal parts; 1 releases everything at once."
          />
        </div>
        {several ? (
          <div class="pair">
            <Text
              {...text('period', 'periodSeconds')}
              label="Time between releases"
              needed
              keys="decimal"
              hint={
                body.firstReleaseAt && body.releases && body.periodSeconds
                  ? `The last release is on ${moment(lastOf(body.firstReleaseAt, body.releases, body.periodSeconds))}.`
                  : undefined
              }
            />
            <Choice
              {...text('unit', 'periodSeconds')}
              error={undefined}
              label="Unit of that time"
              options={each}
            />
          </div>
        ) : null}
      </fieldset>
      <Transaction<Unsigned>
        kind="lock"
        of={mint}
        stamp={JSON.stringify(body)}
        session={session}
        title="Lock your tokens"
        label="Review lock"
        back="Edit"
        blocked={Object.keys(wrong).length > 0 ? 'Complete the fields above first.' : null}
        onLock={setLocked}
        prepare={prepare}
        asked={({ tax }) => ({ kind: 'lock', mint, lock: body as Body, tax })}
        // Each transaction has another escrow, and reading a lock takes longer than a blockhash lives.
        essence={(sentence) => sentence.replace(ADDRESS, '')}
        about={(lock) => (
          <>
            <p>
              <strong>{own(lock.tokenAmountAfterTax)}</strong> are locked for{' '}
              {body.recipient && body.recipient !== session.wallet ? (
                <Address address={body.recipient} of="recipient's address" />
              ) : (
                'your own wallet'
              )}
              .{' '}
              {lock.releases === 1
                ? `All of it is released on ${moment(lock.firstReleaseAt)}.`
                : `${own(lock.firstReleaseAmount)} are released on ${moment(lock.firstReleaseAt)}, then ${own(lock.periodAmount)} ${lock.releases - 1} more ${lock.releases === 2 ? 'time' : 'times'}, the last on ${moment(lock.lastReleaseAt)}.`}
            </p>
            <p>No one can cancel this or change the recipient.</p>
          </>
        )}
        onDone={(_, lock) => {
          setEscrow(lock.escrowAddress);
          form.clear();
        }}
        after={
          <p>
            The escrow is <Address address={escrow} of="escrow's address" />. Jupiter Lock’s own page shows
            it, and pays out what is released.
          </p>
        }
      />
    </>
  );
}
