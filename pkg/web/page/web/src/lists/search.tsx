import { useState } from 'preact/hooks';
import { isAddress } from '../ui/address';
import { MAX_CHARACTERS, viewLink } from './view';

/**
 * Leads to a token's page for the address of its mint or a link with the address, and to the tokens
 * with a name prefix for any other text.
 */
export function Search(props: { q?: string | null; go?: (path: string) => void }) {
  const [text, setText] = useState(props.q ?? '');
  const [error, setError] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    const mint = mintIn(text);
    const q = text.trim();
    if (!mint && (q === '' || [...q].length > MAX_CHARACTERS)) {
      setError(
        q === ''
          ? 'Enter the beginning of a name or symbol, or a mint address.'
          : 'That is neither an address, which has 32 to 44 letters and digits, nor a name, which has 32 at most.',
      );
      return;
    }
    (props.go ?? ((path) => location.assign(path)))(mint ? `/t/${mint}` : viewLink({ q }));
  };
  return (
    <search>
      <form class="search" onSubmit={submit}>
        <label for="mint">Find a token by name, symbol or mint address</label>
        <div class="row">
          <input
            id="mint"
            name="mint"
            type="text"
            autocomplete="off"
            placeholder="Name, address or link"
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

/** Returns the address in a pasted text, or null. */
export function mintIn(text: string): string | null {
  const words = text.trim().split(/[\s/?#]+/);
  return words.find((word) => isAddress(word)) ?? null;
}
