import { useState } from 'preact/hooks';
import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../api/client';
import { useLoad } from '../api/load';
import { amount, assetOf } from '../token/asset';
import { safeLink } from '../token/link';
import { Out, Section, Transaction } from '../token/parts';
import { short } from '../ui/amount';
import { CallProblem, useCall } from '../ui/call';
import { moment } from '../ui/clock';
import { Loaded, Notice } from '../ui/parts';
import { paymentsFile } from './csv';
import { rewardsLink } from './link';

type Payment = Schemas['HolderPayment'];

/** The payments on a page of the list. */
const LIMIT = 20;

/** One payment: amount, token, time, transaction and proof. */
function Line(props: { payment: Payment }) {
  const { payment: p } = props;
  const asset = assetOf(p.asset, { mintAddress: p.mintAddress, symbol: p.symbol, decimals: 9 });
  const proof = safeLink(p.proof.url);
  return (
    <li class="payment">
      <strong>{amount({ ...asset, decimals: p.decimals }, p.amount)}</strong>
      <span>
        from{' '}
        <a href={`/t/${p.mintAddress}`} title={p.name}>
          <bdi>{p.symbol}</bdi>
        </a>
        {p.kind === 'claim' ? ', claimed' : ''}
      </span>
      <time dateTime={p.settledAt}>{moment(p.settledAt)}</time>
      <span>
        <Transaction signature={p.signature} what="Transaction" />
        {proof ? (
          <>
            {' '}
            <Out href={proof} label={`Proof of ${short(p.signature)}`}>
              Proof
            </Out>
          </>
        ) : null}
      </span>
    </li>
  );
}

/** The payments to a wallet, newest first, page by page. */
function List(props: { wallet: string; mint: string | null; cursor?: string }) {
  const { wallet, mint, cursor = '' } = props;
  const [on, setOn] = useState(false);
  const load = useLoad(
    `payments ${wallet} ${mint} ${cursor}`,
    () =>
      answer(
        api.GET('/holders/{wallet}/payments', {
          params: {
            path: { wallet },
            query: { limit: LIMIT, ...(mint ? { mint } : {}), ...(cursor ? { cursor } : {}) },
          },
        }),
      ) as Promise<Schemas['HolderPayments']>,
  );
  return (
    <Loaded load={load} what="the payments to this wallet">
      {({ payments, complete, nextCursor }) => (
        <>
          {complete || cursor ? null : (
            <Notice kind="warn">
              This wallet has too many tokens to list the payments of all of them. A token that is missing
              here has its payments on its own page.
            </Notice>
          )}
          {payments.length > 0 ? (
            <ol class="payments">
              {payments.map((p) => (
                <Line payment={p} key={`${p.runId} ${p.asset}`} />
              ))}
            </ol>
          ) : nextCursor || cursor ? null : (
            <p class="faint">Nothing was paid to this wallet yet.</p>
          )}
          {!nextCursor ? null : on ? (
            <List {...props} cursor={nextCursor} />
          ) : (
            <p class="more">
              <button type="button" class="plain" onClick={() => setOn(true)}>
                {payments.length > 0 ? 'Earlier payments' : 'Look further back'}
              </button>
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}

/** Saves a text as a file. */
function save(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  // A browser that starts the download later still finds the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** A button that saves all payments as a CSV file. */
function Download(props: { wallet: string; mint: string | null }) {
  const { wallet, mint } = props;
  const call = useCall();
  const [lines, setLines] = useState(0);
  const [part, setPart] = useState(false);
  const get = () =>
    call.run(async () => {
      setLines(0);
      const file = await paymentsFile(wallet, mint, setLines);
      setPart(!file.complete);
      save(`payments-${wallet}.csv`, file.text);
    });
  return (
    <>
      <p>
        <button type="button" class="plain" disabled={call.busy} onClick={() => void get()}>
          {call.busy ? `Reading payments: ${lines} …` : 'Download all as CSV'}
        </button>
      </p>
      {part ? (
        <Notice kind="warn">The file does not have all payments: there are too many to list at once.</Notice>
      ) : null}
      <CallProblem call={call} lost="No file was saved." />
    </>
  );
}

/** Every payment to a wallet, with a file for a spreadsheet. With a mint, only of that token. */
export function Payments(props: { wallet: string; mint: string | null }) {
  return (
    <Section id="payments" title={props.mint ? 'Payments of this token' : 'Payments'}>
      {props.mint ? (
        <p>
          <a href={rewardsLink(props.wallet)}>All payments to this wallet</a>
        </p>
      ) : null}
      <Download {...props} />
      <List {...props} />
    </Section>
  );
}
