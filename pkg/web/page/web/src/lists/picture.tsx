import { useState } from 'preact/hooks';
import { safeLink } from '../token/link';
import type { Listed } from './words';

/** Side of a small picture, in pixels. */
const SIDE = 64;

/** A small picture of a token, or its first letters. Its name stands beside it. */
export function Thumb(props: { token: Listed | null }) {
  const [broken, setBroken] = useState(false);
  const src = props.token?.visible ? safeLink(props.token.imageUrl) : null;
  return broken || !src ? (
    <span class="thumb letters" aria-hidden="true">
      {[...(props.token?.symbol ?? '?')].slice(0, 3).join('')}
    </span>
  ) : (
    <img
      class="thumb"
      src={src}
      alt=""
      width={SIDE}
      height={SIDE}
      loading="lazy"
      decoding="async"
      onError={() => setBroken(true)}
    />
  );
}
