import { useState } from 'preact/hooks';
import { isAddress } from '../token/address';

/** Leads to the page of a token by the address of its mint. Also a link with that in it will do. */
export function Search(props: { go?: (path: string) => void }) {
  const [text, setText] = useState('');
  const [error, setError] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    const mint = mintIn(text);
    if (!mint) {
      setError(
        text.trim() === ''
          ? 'Enter a mint address.'
          : 'That is not an address: addresses have 32 to 44 letters and digits. Names cannot be searched, because anyone can use any name.',
      );
      return;
    }
    (props.go ?? ((path) => location.assign(path)))(`/t/${mint}`);
  };
  return (
    <search>
      <form class="search" onSubmit={submit}>
        <label for="mint">Find a token by mint address</label>
        <div class="row">
          <input
            id="mint"
            name="mint"
            type="text"
            autocomplete="off"
            placeholder="Address or link"
            spellcheck={false}
            value={text}
            aria-invalid={error ? true : undefined}
            aria-describedby="mint-error"
            onInput={(e) => {
              setText(e.currentTarget.value);
              setError('');
            }}
          />
          <button type="submit">Find</button>
        </div>
        <p class="error" id="mint-error" aria-live="polite">
          {error}
        </p>
      </form>
    </search>
  );
}

/** The address in what was pasted, or null. */
export function mintIn(text: string): string | null {
  const words = text.trim().split(/[\s/?#]+/);
  return words.find((word) => isAddress(word)) ?? null;
}
