import { useState } from 'preact/hooks';
import type { Schemas } from 'tokenlaunch/api';
import { config } from '../config';
import { Section } from './parts';

/** The badge of the token for other websites, with the HTML for embedding. */
export function Badge(props: { token: Schemas['Token'] }) {
  const [copied, setCopied] = useState(false);
  const path = `/t/${props.token.mintAddress}`;
  const page = `${config.apiUrl}${path}`;
  const html = `<a href="${page}"><img src="${page}/badge.svg" height="20" alt="Pays its holders: see the proofs"></a>`;
  return (
    <Section id="badge" title="For your own page">
      <p>
        <img src={`${path}/badge.svg`} height={20} alt="How often its holders were paid" loading="lazy" />
      </p>
      <label class="snippet">
        <span class="faint">HTML that shows this line, up to date, and leads here</span>
        <textarea
          readOnly
          rows={3}
          spellcheck={false}
          value={html}
          onFocus={(e) => e.currentTarget.select()}
        />
      </label>
      <p>
        <button
          type="button"
          class="small plain"
          onClick={() => void navigator.clipboard.writeText(html).then(() => setCopied(true))}
        >
          Copy the HTML
        </button>{' '}
        <span aria-live="polite">{copied ? 'Copied.' : ''}</span>
      </p>
    </Section>
  );
}
