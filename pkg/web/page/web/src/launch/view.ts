import type { Square } from './shrink';

/** The position of a picture beneath a square frame: its corner and its scale. */
export interface View {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
}

/** A picture and its frame, in pixels. */
export interface Sizes {
  readonly width: number;
  readonly height: number;
  /** Side of the frame. */
  readonly side: number;
}

/** Returns the scale at which the picture just fills the frame. */
export const least = ({ width, height, side }: Sizes): number => side / Math.min(width, height);

/** Moves and scales a view so that the picture fills the frame. */
export function filled(view: View, sizes: Sizes): View {
  const scale = Math.max(view.scale, least(sizes));
  const within = (at: number, length: number) => Math.min(0, Math.max(sizes.side - scale * length, at));
  return { scale, left: within(view.left, sizes.width), top: within(view.top, sizes.height) };
}

/** Returns the view of the picture's middle. */
export function centred(sizes: Sizes): View {
  const scale = least(sizes);
  return {
    scale,
    left: (sizes.side - scale * sizes.width) / 2,
    top: (sizes.side - scale * sizes.height) / 2,
  };
}

/** Scales by a factor around the middle of the frame. */
export function zoomed(view: View, factor: number, sizes: Sizes): View {
  const scale = Math.max(view.scale * factor, least(sizes));
  const to = (at: number) => sizes.side / 2 - ((sizes.side / 2 - at) / view.scale) * scale;
  return filled({ scale, left: to(view.left), top: to(view.top) }, sizes);
}

/** Returns the transform of a view, which acts around the picture's middle. */
export function matrixOf(view: View, { width, height }: Sizes): number[] {
  const [x, y] = [view.left - (width * (1 - view.scale)) / 2, view.top - (height * (1 - view.scale)) / 2];
  return [view.scale, 0, 0, view.scale, x, y];
}

/** Returns the view of a transform. */
export function viewOf(matrix: readonly number[], { width, height }: Sizes): View {
  const [scale = 1, , , , x = 0, y = 0] = matrix;
  return { scale, left: x + (width * (1 - scale)) / 2, top: y + (height * (1 - scale)) / 2 };
}

/** Returns the square of the picture that the frame shows. */
export function squareOf(view: View, { side }: Sizes): Square {
  return { x: -view.left / view.scale, y: -view.top / view.scale, side: side / view.scale };
}
