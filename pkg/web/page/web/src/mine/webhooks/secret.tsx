import { useEffect, useRef, useState } from 'preact/hooks';
import { Notice } from '../../ui/parts';

/**
 * The secret of a new webhook. The secret cannot be read again, and is only in memory: sessionStorage
 * would keep the secret beyond the one time that the page shows it.
 */
export function Secret(props: { secret: string; onDone: () => void }) {
  const { secret, onDone } = props;
  const [said, setSaid] = useState('');
  const title = useRef<HTMLElement>(null);
  // The title may be far from the pressed button.
  useEffect(() => title.current?.focus(), []);
  const copy = () =>
    navigator.clipboard.writeText(secret).then(
      () => setSaid('Copied.'),
      () => setSaid('Your browser did not allow it. Select the secret and copy it.'),
    );
  return (
    <Notice kind="warn">
      <p>
        <strong tabIndex={-1} ref={title}>
          Copy the secret now. It is shown only once.
        </strong>
      </p>
      <p>
        <code class="secret">{secret}</code>
      </p>
      <p>
        Store it with your receiver’s other secrets. Use it to verify the signature of every message, with any{' '}
        <a href="/docs#webhooks">Standard Webhooks</a> library. If you lose it, delete this webhook and add it
        again.
      </p>
      <p class="buttons">
        <button type="button" onClick={copy}>
          Copy secret
        </button>
        <button type="button" class="plain" onClick={onDone}>
          I have stored it
        </button>
        <span aria-live="polite">{said}</span>
      </p>
    </Notice>
  );
}
