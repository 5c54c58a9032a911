import { useRef, useState } from 'preact/hooks';
import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../../api/client';
import { useLoad } from '../../api/load';
import { Loaded } from '../../ui/parts';
import { isAddress } from '../address';
import { Section } from '../parts';
import { Answer, summary } from './answer';
import { useConnected } from './connected';

/** What one wallet got, is owed, and why it got nothing: asked for by its address. */
export function Holder(props: { token: Schemas['Token'] }) {
  const { token } = props;
  const connected = useConnected();
  const [text, setText] = useState('');
  const [wallet, setWallet] = useState<string | null>(null);
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
    if (trimmed === wallet) load.reload();
    setWallet(trimmed);
  };
  const load = useLoad(wallet, () =>
    answer(
      api.GET('/distribution/{tokenId}/holders/{wallet}', {
        params: { path: { tokenId: token.mintAddress, wallet: wallet ?? '' } },
      }),
    ),
  );
  return (
    <Section id="holder" title="What did I get?">
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
        </div>
      </form>
      <output class="hidden">{load.data ? summary(load.data as Schemas['Holder']) : ''}</output>
      <div>
        {wallet ? (
          <Loaded load={load} what="this wallet">
            {(holder) => <Answer holder={holder as Schemas['Holder']} token={token} />}
          </Loaded>
        ) : (
          <p class="faint">Shows the last finished distribution. You do not need to connect a wallet.</p>
        )}
      </div>
    </Section>
  );
}
