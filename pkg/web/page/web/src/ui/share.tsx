import { useState } from 'preact/hooks';

/**
 * A button that opens the device's share dialog, or copies the link where there is none, and links
 * to X and Telegram. Nothing is loaded from either.
 */
export function Share(props: { title: string; link: string }) {
  const { title, link } = props;
  const [said, setSaid] = useState('');
  const share = async () => {
    try {
      if (navigator.share) await navigator.share({ title, url: link });
      else {
        await navigator.clipboard.writeText(link);
        setSaid('Link copied.');
      }
    } catch {
      // The visitor closed the device's share dialog.
    }
  };
  const query = new URLSearchParams({ url: link, text: title });
  return (
    <p class="buttons share">
      <button type="button" class="small plain" onClick={() => void share()}>
        Share
      </button>
      <a href={`https://x.com/intent/post?${query}`} target="_blank" rel="noopener noreferrer">
        Post on X
      </a>
      <a href={`https://t.me/share/url?${query}`} target="_blank" rel="noopener noreferrer">
        Send on Telegram
      </a>
      <span aria-live="polite">{said}</span>
    </p>
  );
}
