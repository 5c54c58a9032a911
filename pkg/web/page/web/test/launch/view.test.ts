import { describe, expect, it } from 'vitest';
import { middle, refusal } from '../../src/launch/shrink';
import { centred, filled, matrixOf, squareOf, viewOf, zoomed } from '../../src/launch/view';

const wide = { width: 4000, height: 1000, side: 300 };

describe('the frame over a picture', () => {
  it('begins with its middle', () => {
    const square = squareOf(centred(wide), wide);
    expect({ ...square, y: Math.abs(square.y) }).toEqual(middle(4000, 1000));
  });
  it('never leaves the picture', () => {
    const far = filled({ left: 900, top: -900, scale: 0.01 }, wide);
    const square = squareOf(far, wide);
    expect(square.x).toBeCloseTo(0);
    expect(square.y).toBeCloseTo(0);
    expect(square.side).toBeCloseTo(1000);
    const right = squareOf(filled({ left: -1e9, top: 0, scale: 0.6 }, wide), wide);
    expect(right.x + right.side).toBeCloseTo(4000);
  });
  it('zooms around its middle, and back', () => {
    const before = squareOf(centred(wide), wide);
    const closer = zoomed(centred(wide), 2, wide);
    const square = squareOf(closer, wide);
    expect(square.side).toBeCloseTo(before.side / 2);
    expect(square.x + square.side / 2).toBeCloseTo(2000);
    expect(squareOf(zoomed(closer, 0.01, wide), wide).side).toBeCloseTo(before.side);
  });
  it('is the part that the transform shows', () => {
    const view = { left: -120, top: -30, scale: 0.7 };
    const back = viewOf(matrixOf(view, wide), wide);
    expect(back.left).toBeCloseTo(view.left);
    expect(back.top).toBeCloseTo(view.top);
  });
});

describe('a file', () => {
  const file = (...bytes: number[]) => new Blob([new Uint8Array([...bytes, 0, 0, 0, 0])]);
  it('is judged by its content', async () => {
    expect(await refusal(file(0x89, 0x50, 0x4e, 0x47))).toBeNull();
    expect(await refusal(file(0xff, 0xd8, 0xff))).toBeNull();
    expect(await refusal(file(0x47, 0x49, 0x46, 0x38))).toContain('GIF');
    expect(await refusal(new Blob(['RIFF\x09\0\0\0WEBPVP8 ']))).toBeNull();
    expect(await refusal(new Blob(['RIFF\x09\0\0\0WAVEfmt ']))).toContain('PNG, JPEG or WebP');
    expect(await refusal(file())).toContain('PNG, JPEG or WebP');
  });
});
