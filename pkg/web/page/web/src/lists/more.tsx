import { Rosette } from '../ui/rosette';
import { type View, viewLink } from './view';

/** Links to the other pages of a list. Visitors can share the links and go back. */
export function More(props: { back: Partial<View> | null; on: Partial<View> | null; said?: string }) {
  if (!props.back && !props.on) return null;
  return (
    <nav class="more" aria-label="More tokens">
      {props.back ? (
        <a class="button plain" href={viewLink(props.back)} rel="prev">
          Back
        </a>
      ) : null}
      {props.said ? <span class="faint">{props.said}</span> : null}
      {props.on ? (
        <a class="button plain" href={viewLink(props.on)} rel="next">
          More
        </a>
      ) : null}
    </nav>
  );
}

/** The text of an empty list. */
export function Nothing(props: { children: string }) {
  return (
    <div class="card nothing">
      <Rosette seed={props.children} />
      <span>{props.children}</span>
      <a class="button plain" href="/launch">
        Launch a token
      </a>
    </div>
  );
}
