// Writes the files of the section "images": two motifs, drawn the same on every machine, each
// in a few kinds of file, cut out so that a file is near a megabyte, and no longer than the
// service takes.
//   stdin: the folder, as JSON. stdout: the names of the files, as JSON.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";

const folder = JSON.parse(readFileSync(0, "utf8"));
const most = 1_048_576;
const [w, h] = [2400, 1920];

// noise gives a number from 0 to 1 for a point of a lattice; fractal adds it up in halving
// sizes, smooth between the points, as natural surfaces have it.
function noise(x, y, seed) {
  let n = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca77) ^ Math.imul(seed, 0xc2b2ae3d);
  for (const factor of [0x2c1b3c6d, 0x297a2d39]) n = Math.imul(n ^ (n >>> 15), factor);
  return ((n ^ (n >>> 15)) >>> 0) / 0xffffffff;
}
function fractal(x, y, size, seed) {
  let [sum, total] = [0, 0];
  for (let strength = 1; size >= 2; size /= 2, strength *= 0.55, seed++) {
    const [x0, y0] = [Math.floor(x / size), Math.floor(y / size)];
    const [fx, fy] = [x / size - x0, y / size - y0].map((f) => f * f * (3 - 2 * f));
    const row = (at) => noise(x0, at, seed) * (1 - fx) + noise(x0 + 1, at, seed) * fx;
    sum += strength * (row(y0) * (1 - fy) + row(y0 + 1) * fy);
    total += strength;
  }
  return sum / total;
}

const motifs = {
  // Hills that are rough down to the single pixel, with the grain of a sensor.
  photo: (x, y) => {
    const rough = fractal(x, y, 256, 3) + 0.12 * (noise(x, y, 9) - 0.5);
    return [rough * 0.9, rough * 1.2, rough * 0.6];
  },
  // Flat colours with sharp edges, and a little dither.
  logo: (x, y) => {
    const [dx, dy] = [(x % 700) - 350, (y % 600) - 300];
    const colour = (Math.floor(Math.hypot(dx, dy) / 45) + Math.floor((Math.atan2(dy, dx) + Math.PI) * 2)) % 3;
    return [0, 1, 2].map((c) => (c === colour ? 0.8 : 0.15) + 0.02 * noise(x, y, 70));
  },
};

const circles = Buffer.from('<svg width="400" height="400"><circle cx="200" cy="200" r="190"/></svg>');
const kinds = {
  "baseline.jpg": (s) => s.jpeg({ quality: 90 }),
  "progressive.jpg": (s) => s.jpeg({ quality: 90, progressive: true }),
  "turned.jpg": (s) => s.jpeg({ quality: 90 }).withMetadata({ orientation: 6 }),
  "rgb.png": (s) => s.png(),
  "palette.png": (s) => s.png({ palette: true, effort: 1 }),
  "alpha.png": (s) => s.ensureAlpha().composite([{ input: circles, tile: true, blend: "dest-in" }]).png(),
};

const names = [];
for (const [motif, paint] of Object.entries(motifs)) {
  const pixels = Buffer.alloc(w * h * 3);
  for (let i = 0; i < w * h; i++)
    paint(i % w, Math.floor(i / w)).forEach((c, channel) => (pixels[3 * i + channel] = 255 * Math.max(0, Math.min(1, c))));
  for (const [kind, encode] of Object.entries(kinds)) {
    // The share of the motif's pixels that is cut out, in its middle and in its shape.
    let [share, file] = [0.3, null];
    for (let tries = 0; tries < 5; tries++) {
      const [width, height] = [w, h].map((n) => Math.round(n * Math.sqrt(share)));
      const area = { width, height, left: (w - width) >> 1, top: (h - height) >> 1 };
      // Cut first: sharp has an order of its own within one pipeline.
      const cut = await sharp(pixels, { raw: { width: w, height: h, channels: 3 } }).extract(area).raw().toBuffer();
      file = await encode(sharp(cut, { raw: { width, height, channels: 3 } })).toBuffer();
      if (file.length <= most && (file.length > 0.8 * most || share === 1)) break;
      share = Math.min(1, (share * 0.9 * most) / file.length);
    }
    const name = `${motif}-${kind}`;
    if (file.length > most) throw new Error(`${name}: ${file.length} bytes`);
    writeFileSync(join(folder, name), file);
    names.push(name);
  }
}
console.log(JSON.stringify(names));
