// Converts pictures to sRGB by sharp (libvips and Little CMS), so that the service's conversion
// can be compared with it, and makes pictures with the profiles that sharp brings along.
//
// stdin: a JSON array of {file}, an image in base64, or {format, profile, gray}: sharp makes a
// picture in that format ("jpeg", "png") and profile ("p3", "srgb", "cmyk"), from colours of its
// own.
// stdout: a JSON array of {file, rgb}, both base64: the image, and its samples in sRGB.
import { readFileSync } from "node:fs";
import sharp from "sharp";

const side = 512;

// Colours without edges.
function ramps() {
  const fold = (at) => Math.min(at % 510, 510 - (at % 510));
  const data = Buffer.alloc(side * side * 3);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) data.set([fold(2 * x), fold(2 * y), fold((3 * x + 2 * y) >> 2)], 3 * (y * side + x));
  return sharp(data, { raw: { width: side, height: side, channels: 3 } });
}

const make = ({ format, profile, gray }) =>
  (gray ? ramps().toColourspace("b-w") : ramps()).withIccProfile(profile)[format](format === "jpeg" ? { quality: profile === "cmyk" ? 50 : 95 } : {}).toBuffer();

const answer = [];
for (const input of JSON.parse(readFileSync(0, "utf8"))) {
  const file = input.file ? Buffer.from(input.file, "base64") : await make(input);
  // Without an output profile sharp leaves 16 bits a sample in Display P3.
  const rgb = await sharp(file).flatten({ background: "#fff" }).withIccProfile("srgb", { attach: false }).toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
  const samples = Buffer.alloc(side * side * 3);
  for (let i = 0; i < samples.length; i++) samples[i] = rgb.data[rgb.info.channels === 3 ? i : Math.floor(i / 3) * rgb.info.channels];
  answer.push({ file: file.toString("base64"), rgb: samples.toString("base64") });
}
console.log(JSON.stringify(answer));
