import { useState } from 'preact/hooks';
import { safeLink } from '../token/link';
import { Rosette } from '../ui/rosette';
import type { Listed } from './words';

/** Side of a picture as the service makes it, in pixels: it is shown as wide as there is room. */
const SIDE = 512;

/** A token's picture, or one drawn of its address. Its name stands beside it. */
export function Thumb(props: { mint: string; token: Listed | null }) {
  const [broken, setBroken] = useState(false);
  const src = props.token?.visible ? safeLink(props.token.imageUrl) : null;
  return broken || !src ? (
    <Rosette class="thumb" seed={props.mint} letters={props.token?.symbol ?? '?'} />
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
