// Writes the inputs of the section "images": each motif in each kind of file, cut out of
// the motif so that the file is near a megabyte, and no longer than the service takes.
//   node inputs.mjs FOLDER WIDTH HEIGHT MOTIF...
// The folder has MOTIF.rgba, and gets MOTIF-KIND.jpg or .png; and growth-PERCENT.jpg and
// .png, which have that share of a motif's pixels.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";

const most = 1_048_576;
const near = 0.9 * most;
const jpeg = (options) => ["jpg", (s) => s.removeAlpha().jpeg({ quality: 90, ...options })];
const png = (options, before = (s) => s.removeAlpha()) => ["png", (s) => before(s).png(options)];
const alpha = (s) => s.composite([{ input: Buffer.from('<svg width="400" height="400"><circle cx="200" cy="200" r="190"/></svg>'), tile: true, blend: "dest-in" }]);

const kinds = {
  "baseline-420": jpeg({}),
  "baseline-420-sharp": jpeg({ quality: 97 }),
  "baseline-422-plain": jpeg({ optimiseCoding: false, quality: 85 }),
  "baseline-444": jpeg({ chromaSubsampling: "4:4:4" }),
  "progressive-420": jpeg({ progressive: true }),
  "progressive-444": jpeg({ progressive: true, chromaSubsampling: "4:4:4" }),
  "gray": ["jpg", (s) => s.removeAlpha().grayscale().jpeg({ quality: 90 })],
  "turned": ["jpg", (s) => s.removeAlpha().jpeg({ quality: 90 }).withMetadata({ orientation: 6 })],
  "rgb": png({}),
  "rgb-interlaced": png({ progressive: true }),
  "palette": png({ palette: true, effort: 1 }),
  "alpha": png({}, alpha),
  "16-bit": png({}, (s) => s.removeAlpha().toColourspace("rgb16")),
  "gray-8": png({}, (s) => s.removeAlpha().grayscale()),
  "small-rgb": png({ compressionLevel: 9 }),
};

const [folder, width, height, ...motifs] = process.argv.slice(2);
const [w, h] = [Number(width), Number(height)];
for (const motif of motifs) {
  const raw = { raw: { width: w, height: h, channels: 4 }, limitInputPixels: false };
  const pixels = await readFile(join(folder, motif + ".rgba"));
  for (const [kind, [extension, encode]] of Object.entries(kinds)) {
    // The share of the motif's pixels that is cut out, in its middle and in its shape.
    let share = 0.3;
    let file;
    for (let tries = 0; tries < 5; tries++) {
      const side = Math.sqrt(share);
      const area = { width: Math.round(w * side), height: Math.round(h * side) };
      area.left = Math.floor((w - area.width) / 2);
      area.top = Math.floor((h - area.height) / 2);
      // Cut first: sharp has an order of its own within one pipeline.
      const cut = await sharp(pixels, raw).extract(area).raw().toBuffer();
      file = await encode(sharp(cut, { raw: { width: area.width, height: area.height, channels: 4 } })).toBuffer();
      if (file.length <= most && (file.length > 0.8 * most || share === 1)) break;
      share = Math.min(1, (share * near) / file.length);
    }
    if (file.length > most) throw new Error(`${motif}-${kind}: ${file.length} bytes`);
    await writeFile(join(folder, `${motif}-${kind}.${extension}`), file);
  }
}

// What grows is a photograph, and a picture of a few flat colours: so large a one of many
// is not within a megabyte.
for (const [extension, motif, encode] of [
  ["jpg", motifs[0], (s) => s.jpeg({ quality: 70 })],
  ["png", motifs.at(-1), (s) => s.threshold(128, { grayscale: false }).png({ palette: true, dither: 0, effort: 1 })],
]) {
  const pixels = await readFile(join(folder, motif + ".rgba"));
  for (const percent of [1, 10, 100]) {
    const area = { left: 0, top: 0, width: Math.round((w * Math.sqrt(percent)) / 10), height: Math.round((h * Math.sqrt(percent)) / 10) };
    const cut = sharp(pixels, { raw: { width: w, height: h, channels: 4 } }).extract(area).removeAlpha();
    const file = await encode(cut).toBuffer();
    if (file.length > most) throw new Error(`growth-${percent}.${extension}: ${file.length} bytes`);
    await writeFile(join(folder, `growth-${percent}.${extension}`), file);
  }
}
