/** The service accepts files of at most 1,048,576 bytes; the page's files are smaller. */
const MAX_BYTES = 1_000_000;
/** Side of the picture, in pixels. The service scales the picture to 512. */
const MAX_SIDE = 1024;

/** A square part of a picture, in its own pixels. */
export interface Square {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/**
 * Returns the reason why a file is not accepted, judged by its content, or null. The service accepts PNG and JPEG; a
 * WebP file reaches the service as the JPEG that `cut` draws, because a decoder of WebP would be one
 * more parser of hostile files there.
 */
export async function refusal(file: Blob): Promise<string | null> {
  const head = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  const begins = (...bytes: number[]) => bytes.every((byte, i) => head[i] === byte);
  const webp = begins(0x52, 0x49, 0x46, 0x46) && String.fromCharCode(...head.slice(8)) === 'WEBP';
  if (begins(0x89, 0x50, 0x4e, 0x47) || begins(0xff, 0xd8, 0xff) || webp) return null;
  const is = begins(0x47, 0x49, 0x46)
    ? 'This is a GIF. '
    : begins(0x25, 0x50, 0x44, 0x46)
      ? 'This is a PDF. '
      : '';
  return `${is}The picture must be a PNG, JPEG or WebP file.`;
}

/** Returns the largest square in the middle of a picture. */
export function middle(width: number, height: number): Square {
  const side = Math.min(width, height);
  return { x: (width - side) / 2, y: (height - side) / 2, side };
}

/** Crops a square, on white where the picture is transparent, to a JPEG below the limit, as a data URL. */
export async function cut(image: CanvasImageSource, square: Square): Promise<string> {
  const side = Math.max(1, Math.min(MAX_SIDE, Math.round(square.side)));
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser cannot draw the picture.');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, side, side);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, square.x, square.y, square.side, square.side, 0, 0, side, side);
  for (const quality of [0.92, 0.85, 0.75, 0.6, 0.4]) {
    const data = canvas.toDataURL('image/jpeg', quality);
    // Four characters of base64 are three bytes.
    if ((data.length * 3) / 4 < MAX_BYTES) return data;
  }
  throw new Error('The picture is too large, even after resizing.');
}
