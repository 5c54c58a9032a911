import { useState } from 'preact/hooks';
import type { Schemas } from 'tokenlaunch/api';
import { moment } from '../../ui/clock';
import { Address } from '../../ui/parts';
import { type Asset, amount, assetOf, useAssets } from '../asset';
import { safeLink } from '../link';
import { Out, Pairs, Transaction } from '../parts';

type Row = Schemas['HolderRow'];

/** The path from a row to the root on the chain, shown on demand. */
function Inclusion(props: { row: Row; proof: string | null }) {
  const [open, setOpen] = useState(false);
  const { inclusion } = props.row;
  return (
    <div>
      <button type="button" class="plain small" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Hide proof' : 'Show proof'}
      </button>
      {open ? (
        <div class="inclusion">
          <p>
            This is row {inclusion.index + 1} of {inclusion.size} in{' '}
            {props.proof ? <Out href={props.proof}>the proof</Out> : 'the proof'}. Hash it, then combine it
            with each of these hashes (RFC 6962): the result is the fingerprint on chain.
          </p>
          <p class="mono">{inclusion.line}</p>
          <ol>
            {inclusion.path.map((hash) => (
              <li class="mono" key={hash}>
                {hash}
              </li>
            ))}
          </ol>
          <p class="mono">= {inclusion.root}</p>
        </div>
      ) : null}
    </div>
  );
}

function OneRow(props: { row: Row; asset: Asset; proof: string | null }) {
  const { row, asset } = props;
  const some = (name: string, units: string) =>
    units === '0' ? [] : [[name, amount(asset, units)] as const];
  return (
    <div class="card">
      <h3>{asset.name}</h3>
      <Pairs
        rows={[
          ['Paid', amount(asset, row.paid)],
          ...(row.received === row.paid
            ? []
            : [['Received after tax', amount(asset, row.received)] as const]),
          ['Still owed', amount(asset, row.owed)],
          ['Share of this distribution', amount(asset, row.share)],
          ...some('Owed from before', row.owedBefore),
          ...some('Charged for opening an account', row.charged),
          ...some('Sent, not yet confirmed', row.reserved),
          ...(row.signature ? [['Payment', <Transaction signature={row.signature} key="s" />] as const] : []),
        ]}
      />
      {row.reason ? <p>{row.reason.detail}</p> : null}
      <Inclusion row={row} proof={props.proof} />
    </div>
  );
}

/** Returns the result in a sentence for screen readers. */
export const summary = (holder: Schemas['Holder']): string =>
  holder.why ? `Paid nothing. ${holder.why.detail}` : 'This wallet was paid in the last distribution.';

/** The result of the last distribution for a wallet. */
export function Answer(props: { holder: Schemas['Holder']; token: Schemas['Token'] }) {
  const { holder, token } = props;
  const asset = useAssets(
    holder.assets.map((a) => a.asset),
    token,
  );
  const own = assetOf(token.mintAddress, token);
  const proof = safeLink(holder.run?.proof?.url ?? null);
  return (
    <div class="holder-answer">
      <p>
        <Address address={holder.wallet} of="wallet" />{' '}
        {holder.run
          ? `held ${amount(own, holder.balance)} at the distribution of ${moment(holder.run.scheduledAt)}.`
          : ''}
      </p>
      {holder.why ? (
        <p class="remark">
          <strong>Paid nothing.</strong> {holder.why.detail}
        </p>
      ) : null}
      <div>
        {holder.assets.map((row) => (
          <OneRow row={row} asset={asset(row.asset)} proof={proof} key={row.asset} />
        ))}
      </div>
    </div>
  );
}
