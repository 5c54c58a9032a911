// Judges the pictures of the section "images": how like they are to a reference, which is the
// whole file decoded by sharp, cut, and scaled by Lanczos' filter of three lobes in floating
// point, all at once and without any JPEG behind it.
//   stdin: JSON {folder, names, sides}. stdout: JSON, for each name and each side the mean
// structural similarity (SSIM) of FOLDER/SIDE/NAME.jpg.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { ssim } from "ssim.js";

const side = 512;
const { folder, names, sides } = JSON.parse(readFileSync(0, "utf8"));

const lanczos = (x) => (x === 0 ? 1 : Math.abs(x) >= 3 ? 0 : (3 * Math.sin(Math.PI * x) * Math.sin((Math.PI * x) / 3)) / (Math.PI * x) ** 2);

// weights are those of each pixel of a scaled row: of which pixels, none beside the length,
// and how much of each.
function weights(from, length) {
  const ratio = length / side;
  const spread = Math.max(1, ratio);
  return Array.from({ length: side }, (_, i) => {
    const centre = from + (i + 0.5) * ratio - 0.5;
    const first = Math.ceil(centre - 3 * spread);
    const count = Math.floor(centre + 3 * spread) - first + 1;
    const each = Float64Array.from({ length: count }, (_, k) => lanczos((first + k - centre) / spread));
    const total = each.reduce((a, b) => a + b);
    const at = Int32Array.from({ length: count }, (_, k) => Math.max(from, Math.min(from + length - 1, first + k)));
    return { at, each: each.map((w) => w / total) };
  });
}

async function reference(file) {
  const { data, info } = await sharp(file).autoOrient().flatten({ background: "#fff" }).toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const length = Math.min(width, height);
  const [left, top] = [Math.floor((width - length) / 2), Math.floor((height - length) / 2)];
  const [columns, rows] = [weights(left, length), weights(top, length)];
  const out = new Uint8ClampedArray(side * side * 4).fill(255);
  const scaled = new Float64Array(length * side); // rows of the file, scaled across
  for (let channel = 0; channel < 3; channel++) {
    const from = Math.min(channel, channels - 1); // gray has one
    for (let y = 0; y < length; y++) {
      const row = (top + y) * width;
      for (let x = 0; x < side; x++) {
        const { at, each } = columns[x];
        let sum = 0;
        for (let k = 0; k < each.length; k++) sum += each[k] * data[(row + at[k]) * channels + from];
        scaled[y * side + x] = sum;
      }
    }
    for (let y = 0; y < side; y++) {
      const { at, each } = rows[y];
      for (let x = 0; x < side; x++) {
        let sum = 0;
        for (let k = 0; k < each.length; k++) sum += each[k] * scaled[(at[k] - top) * side + x];
        out[(y * side + x) * 4 + channel] = sum;
      }
    }
  }
  return { data: out, width: side, height: side };
}

async function load(file) {
  const { data, info } = await sharp(file).toColourspace("srgb").ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  if (info.width !== side || info.height !== side) throw new Error(`${file}: ${info.width} x ${info.height} pixels`);
  return { data: new Uint8ClampedArray(data), width: side, height: side };
}

const answer = [];
for (const name of names) {
  const want = await reference(join(folder, name));
  const of = [];
  for (const each of sides) of.push(ssim(want, await load(join(folder, each, name + ".jpg"))).mssim);
  answer.push(of);
}
console.log(JSON.stringify(answer));
