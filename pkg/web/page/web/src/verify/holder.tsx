import { useState } from 'preact/hooks';
import type { Found, Holder } from 'tokenlaunch/proof';
import { decimal, short } from '../ui/amount';
import { Notice } from '../ui/parts';
import { Refused, type Session } from './session';

const named = (asset: string): string => (asset === 'SOL' ? 'SOL' : short(asset));

type Balances = { readonly balance: bigint; readonly before: bigint };

/** Describes a wallet's balance, with the balance in the snapshot before, if that balance counts, too. */
function held({ held, decimals }: Holder, of: Balances): string {
  const now = `${decimal(of.balance, decimals)} of the token`;
  return held
    ? `${now}, and ${decimal(of.before, decimals)} in the snapshot before, of which the lesser counts`
    : now;
}

/** A row with its path to the root. */
function Row(props: { holder: Holder; found: Found }) {
  const { row, decimals, steps, index, size, leaf, line } = props.found;
  const asset = named(row.asset);
  const money = (amount: bigint) => `${decimal(amount, decimals)} ${asset}`;
  return (
    <li>
      <p>
        {props.holder.held && row.balance > 0n ? `Held ${held(props.holder, row)}. ` : ''}Share{' '}
        {money(row.share)}
        {row.owed > 0n ? `, and ${money(row.owed)} from before` : ''}. Paid {money(row.paid)}.
        {row.charged > 0n ? ` Charged for opening an account: ${money(row.charged)}.` : ''}
        {row.carried > 0n ? ` Kept for next time: ${money(row.carried)} (${row.reason}).` : ''}
      </p>
      <details>
        <summary>
          Line {index + 1} of {size}, {steps.length} steps to the root
        </summary>
        <ol class="way">
          <li>
            The line: <code>{line}</code>
          </li>
          <li>
            Its hash: <code>{leaf}</code>
          </li>
          {steps.map((step) => (
            <li key={step.hash}>
              With its neighbour {step.left ? 'on the left' : 'on the right'}, <code>{step.neighbour}</code>,
              it makes <code>{step.hash}</code>
            </li>
          ))}
        </ol>
        <p>The last hash is the root in the anchor’s memo.</p>
      </details>
    </li>
  );
}

function What(props: { holder: Holder }) {
  const { found, leftOut, wallet } = props.holder;
  return (
    <>
      {found.length > 0 ? (
        <ul>
          {found.map((f) => (
            <Row holder={props.holder} found={f} key={f.row.asset} />
          ))}
        </ul>
      ) : null}
      {leftOut ? (
        <p>
          {short(wallet)} has no share of this distribution, holding {held(props.holder, leftOut)}:{' '}
          {leftOut.why}.
        </p>
      ) : null}
      {found.length === 0 && !leftOut ? (
        <p>{short(wallet)} held none of the token at the snapshot and was owed nothing.</p>
      ) : null}
    </>
  );
}

/** Looks up a wallet in the verified proof. */
export function HolderForm(props: { session: Session }) {
  const [wallet, setWallet] = useState('');
  const [busy, setBusy] = useState(false);
  const [holder, setHolder] = useState<Holder | null>(null);
  const [problem, setProblem] = useState('');
  const look = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setProblem('');
    setHolder(null);
    try {
      setHolder(await props.session.find(wallet.trim()));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      setProblem(cause instanceof Refused ? why : `The lookup failed: ${why}. Try again.`);
    }
    setBusy(false);
  };
  return (
    <form class="field" onSubmit={look}>
      <label for="verify-wallet">Find a wallet in the proof</label>
      <div class="row">
        <input
          id="verify-wallet"
          value={wallet}
          onInput={(e) => setWallet(e.currentTarget.value)}
          placeholder="Wallet address"
          autocomplete="off"
          spellcheck={false}
          required
        />
        <button type="submit" disabled={busy}>
          Find
        </button>
      </div>
      {problem ? <Notice kind="bad">{problem}</Notice> : null}
      <div aria-live="polite">{holder ? <What holder={holder} /> : null}</div>
    </form>
  );
}
