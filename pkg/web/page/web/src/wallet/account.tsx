import type { Wallet } from '@wallet-standard/base';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Problem, problemFrom } from 'tokenlaunch/api';
import '../styles/wallet.css';
import { Address, Notice, Trouble } from '../ui/parts';
import { onPhone, openIn } from './phone';
import { begin, connect, connected, disconnect, type Session, session, signIn } from './session';
import { searching, unusable, wallets } from './standard';

/** The visitor's wallet, in the header of every page. */
export function Account() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(begin, []);
  const signedIn = session.value;
  useEffect(() => {
    if (signedIn) dialog.current?.close();
  }, [signedIn]);
  return (
    <>
      {signedIn ? (
        <>
          <Address address={signedIn.wallet} of="your address" />{' '}
          <button type="button" class="plain" onClick={() => void disconnect()}>
            Sign out
          </button>
        </>
      ) : (
        <button type="button" class="plain" onClick={() => dialog.current?.showModal()}>
          {connected.value ? 'Sign in' : 'Connect wallet'}
        </button>
      )}
      <dialog ref={dialog} aria-labelledby="wallets-title" class="wallets">
        <h2 id="wallets-title">Your wallet</h2>
        {signedIn ? null : <Connect />}
        <form method="dialog">
          <button type="submit" class="plain">
            Close
          </button>
        </form>
      </dialog>
    </>
  );
}

/** Shows its content to signed-in visitors, and the sign-in to other visitors. */
export function SignedIn(props: { what: string; children: (session: Session) => ComponentChildren }) {
  useEffect(begin, []);
  if (session.value) return <>{props.children(session.value)}</>;
  return (
    <section class="card" aria-label="Sign in">
      <p>
        Connect a wallet to {props.what}. You sign a short text to prove that the wallet is yours. It is free
        and moves nothing, and your key stays with you.
      </p>
      <Connect />
    </section>
  );
}

/** The choice of this browser's wallets; a choice connects the wallet and signs in. */
function Connect() {
  const [busy, setBusy] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const at = connected.value;
  const run = async (text: string, steps: () => Promise<void>) => {
    setBusy(text);
    setProblem(null);
    try {
      await steps();
    } catch (cause) {
      setProblem(problemFrom(cause));
    }
    setBusy('');
  };
  const choose = (wallet: Wallet) =>
    void run(`Continue in ${wallet.name}: connect, then sign in.`, async () => {
      await connect(wallet);
      await signIn();
    });
  return (
    <div class="connect">
      {problem ? <Trouble problem={problem} /> : null}
      <p aria-live="polite" class={busy ? '' : 'hidden'}>
        {busy}
      </p>
      {at ? (
        <p>
          <button
            type="button"
            disabled={busy !== ''}
            onClick={() => void run(`Continue in ${at.wallet.name} to sign in.`, signIn)}
          >
            Sign in with {at.wallet.name}
          </button>{' '}
          <Address address={at.account.address} of="your address" />{' '}
          <button type="button" class="small plain" onClick={() => void disconnect()}>
            Use another wallet
          </button>
        </p>
      ) : wallets.value.length === 0 ? (
        searching.value ? null : (
          <NoWallet />
        )
      ) : (
        <ul>
          {wallets.value.map((wallet) => {
            const why = unusable(wallet);
            return (
              <li key={wallet.name}>
                <button type="button" disabled={why !== null || busy !== ''} onClick={() => choose(wallet)}>
                  <img src={wallet.icon} alt="" width={24} height={24} /> {wallet.name}
                </button>
                {why ? <span class="faint"> {why}</span> : null}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

function NoWallet() {
  const phone = onPhone();
  return (
    <Notice kind="info">
      {phone ? (
        <>
          <p>On a phone, this page works in your wallet’s own browser. Open it there:</p>
          <p class="buttons">
            {openIn(new URL(location.href)).map(({ name, href }) => (
              <a class="button" href={href} key={name} rel="noopener">
                {name}
              </a>
            ))}
          </p>
        </>
      ) : (
        <p>No Solana wallet found in this browser.</p>
      )}
      <p>
        A wallet keeps your key and signs for you. {phone ? 'You have none yet? Install' : 'Install'} one from
        its maker, such as <a href="https://phantom.com/download">Phantom</a>,{' '}
        <a href="https://solflare.com/download">Solflare</a> or{' '}
        <a href="https://backpack.app/download">Backpack</a>, then {phone ? 'open' : 'reload'} this page.
      </p>
    </Notice>
  );
}
