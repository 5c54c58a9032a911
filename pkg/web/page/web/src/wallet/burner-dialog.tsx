import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

let queue: Promise<unknown> = Promise.resolve();

/** Asks the owner of the demo wallet for a confirmation; throws if the owner declines. One question at a time. */
export function confirm(title: string, text: string, yes: string): Promise<void> {
  const asked = queue.then(() => ask(title, text, yes));
  queue = asked.catch(() => {});
  return asked;
}

function ask(title: string, text: string, yes: string): Promise<void> {
  const place = document.body.appendChild(document.createElement('div'));
  return new Promise<void>((resolve, reject) => {
    const answer = (agreed: boolean) => {
      render(null, place);
      place.remove();
      if (agreed) resolve();
      else reject(new Error('The owner rejected it.'));
    };
    render(<Question title={title} text={text} yes={yes} answer={answer} />, place);
  });
}

function Question(props: { title: string; text: string; yes: string; answer: (agreed: boolean) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const agreed = useRef(false);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="burner-title" onClose={() => props.answer(agreed.current)}>
      <p class="play">
        <strong>Demo wallet.</strong> Its key lies unprotected in this browser. Never send it anything of
        value.
      </p>
      <h2 id="burner-title">{props.title}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keys, and read before it is signed */}
      <p class="text" tabIndex={0}>
        {props.text}
      </p>
      <form method="dialog" class="buttons">
        <button
          type="submit"
          onClick={() => {
            agreed.current = true;
          }}
        >
          {props.yes}
        </button>
        <button type="submit" class="plain">
          Reject
        </button>
      </form>
    </dialog>
  );
}
