import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { isAddress } from '../../ui/address';
import { useConnected } from './connected';

/** Asks for a wallet's address, or uses the connected wallet. */
export function AskWallet(props: {
  initial?: string;
  onAsk: (wallet: string) => void;
  children?: ComponentChildren;
}) {
  const connected = useConnected();
  const [text, setText] = useState(props.initial ?? '');
  const [error, setError] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const ask = (address: string) => {
    const trimmed = address.trim();
    if (!isAddress(trimmed)) {
      setError(
        trimmed === '' ? 'Enter a wallet address.' : 'This is not a Solana address. Check it for typos.',
      );
      input.current?.focus();
      return;
    }
    setError('');
    props.onAsk(trimmed);
  };
  return (
    <form
      class="ask"
      noValidate
      onSubmit={(e) => {
        e.preventDefault();
        ask(text);
      }}
    >
      <div class="field">
        <label for="wallet">Wallet address</label>
        <input
          id="wallet"
          ref={input}
          value={text}
          onInput={(e) => setText(e.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          aria-invalid={error ? 'true' : undefined}
          aria-describedby="wallet-error"
        />
        <span id="wallet-error" class="error" aria-live="polite">
          {error}
        </span>
      </div>
      <div class="buttons">
        <button type="submit">Look up</button>
        {connected ? (
          <button
            type="button"
            class="plain"
            onClick={() => {
              setText(connected);
              ask(connected);
            }}
          >
            Use my wallet
          </button>
        ) : null}
        {props.children}
      </div>
    </form>
  );
}
