import Cropper, { type CropperImage } from 'cropperjs';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Square } from './shrink';
import { centred, filled, least, matrixOf, type Sizes, squareOf, type View, viewOf, zoomed } from './view';

/** The picture is moved and zoomed beneath a square frame, by pointer, fingers, wheel or keys. */
const TEMPLATE = `
  <cropper-canvas>
    <cropper-image translatable scalable></cropper-image>
    <cropper-handle action="move" plain></cropper-handle>
  </cropper-canvas>`;

/** The distance of a move by key, in pixels of the screen, and the factor of a zoom by key. */
const STEP = 12;
const ZOOM = 1.1;
/** The maximum zoom, relative to the zoom at which the picture just fills the frame. */
const MOST = 6;

/** Lets the visitor choose a square of the picture. Fetched after the choice of a picture. */
export function Crop(props: { image: HTMLImageElement; onSquare: (square: Square) => void }) {
  const frame = useRef<HTMLDivElement>(null);
  const part = useRef<CropperImage | null>(null);
  const sizes = useRef<Sizes>({ width: 1, height: 1, side: 1 });
  const latest = useRef(props.onSquare);
  latest.current = props.onSquare;
  const [view, setView] = useState<View>({ left: 0, top: 0, scale: 1 });
  const own = useRef(false);

  const show = (wanted: View) => {
    const image = part.current;
    if (!image) return;
    const next = filled(wanted, sizes.current);
    own.current = true;
    image.$setTransform(matrixOf(next, sizes.current));
    own.current = false;
    setView(next);
    latest.current(squareOf(next, sizes.current));
  };

  useEffect(() => {
    const container = frame.current;
    if (!container) return;
    const { naturalWidth: width, naturalHeight: height } = props.image;
    sizes.current = { width, height, side: container.clientWidth };
    const cropper = new Cropper(props.image, { container, template: TEMPLATE });
    const image = cropper.getCropperImage();
    part.current = image;
    // The frame must be full. So `show`, which stops at the edges, makes every move.
    const moved = (event: Event) => {
      if (own.current) return;
      event.preventDefault();
      const { matrix } = (event as CustomEvent<{ matrix: number[] }>).detail;
      const wanted = viewOf(matrix, sizes.current);
      if (wanted.scale <= least(sizes.current) * MOST) show(wanted);
    };
    void image?.$ready().then(() => {
      image.addEventListener('transform', moved);
      show(centred(sizes.current));
    });
    return () => {
      image?.removeEventListener('transform', moved);
      part.current = null;
      cropper.destroy();
      container.replaceChildren();
    };
  }, [props.image]);

  const zoom = view.scale / least(sizes.current);
  const zoomTo = (wanted: number) =>
    show(zoomed(view, Math.min(MOST, Math.max(1, wanted)) / zoom, sizes.current));
  const keys = (event: KeyboardEvent) => {
    const { left, top } = view;
    if (event.key === 'ArrowLeft') show({ ...view, left: left + STEP });
    else if (event.key === 'ArrowRight') show({ ...view, left: left - STEP });
    else if (event.key === 'ArrowUp') show({ ...view, top: top + STEP });
    else if (event.key === 'ArrowDown') show({ ...view, top: top - STEP });
    else if (event.key === '+') zoomTo(zoom * ZOOM);
    else if (event.key === '-') zoomTo(zoom / ZOOM);
    else return;
    event.preventDefault();
  };
  return (
    <div class="crop">
      <p class="hint" id="crop-hint">
        Drag to move, or use the arrow keys. Zoom with the slider, + or −.
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a frame that is moved in is no set of fields */}
      <div
        ref={frame}
        class="frame"
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the picture in it
        tabIndex={0}
        aria-label="Part of the picture"
        aria-describedby="crop-hint"
        onKeyDown={keys}
      />
      <label>
        Zoom
        <input
          type="range"
          min="1"
          max={MOST}
          step="0.05"
          value={zoom}
          onInput={(e) => zoomTo(Number(e.currentTarget.value))}
        />
      </label>
    </div>
  );
}
