import { useState } from 'preact/hooks';
import { safeLink } from '../token/link';
import { Rosette } from '../ui/rosette';
import type { Listed } from './words';

/** Side of the service's pictures, in pixels. A picture is shown as wide as the available space. */
const SIDE = 512;

/** A token's picture, or a drawing derived from its address. The token's name is next to the picture. */
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
