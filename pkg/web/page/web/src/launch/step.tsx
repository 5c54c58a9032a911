import type { ComponentChildren } from 'preact';

/** A numbered part of the page, with its completion. */
export function Step(props: { number: number; title: string; done: boolean; children: ComponentChildren }) {
  const id = `step-${props.number}`;
  return (
    <section class={`step ${props.done ? 'done' : ''}`} aria-labelledby={id}>
      <h2 id={id}>
        <span class="mark" aria-hidden="true">
          {props.done ? '✓' : props.number}
        </span>
        {props.title}
        {props.done ? <span class="hidden"> (done)</span> : null}
      </h2>
      <div class="step-body">{props.children}</div>
    </section>
  );
}
