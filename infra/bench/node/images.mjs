// The peer of the section "images": what the service makes of a picture, made by sharp.
//   node images.mjs FOLDER CONCURRENCY
// reads names of files in the folder, one a line, and answers each with a line of JSON:
// the time on the wall and of the processor in microseconds and the peak memory so far in
// KiB. The result is written to FOLDER/sharp/NAME.jpg. A concurrency of 0 is sharp's own.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import sharp from "sharp";

const [folder, concurrency] = process.argv.slice(2);
sharp.cache(false); // the service keeps nothing between pictures either
if (concurrency !== "0") sharp.concurrency(Number(concurrency));
mkdirSync(join(folder, "sharp"), { recursive: true });

// 88 is the service's first quality, and its chroma is halved.
const make = (file) =>
  sharp(file, { limitInputPixels: 40_000_000 })
    .autoOrient()
    .resize(512, 512, { fit: "cover" })
    .flatten({ background: "#fff" })
    .jpeg({ quality: 88, chromaSubsampling: "4:2:0" })
    .toBuffer();

// What getrusage says may be the parent's.
function peak() {
  try {
    return Number(/VmHWM:\s*(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]);
  } catch {
    return process.resourceUsage().maxRSS; // not Linux
  }
}

for await (const name of createInterface({ input: process.stdin })) {
  const file = readFileSync(join(folder, name));
  const [began, before] = [process.hrtime.bigint(), process.cpuUsage()];
  const result = await make(file);
  const wall = Number(process.hrtime.bigint() - began) / 1e3;
  const { user, system } = process.cpuUsage(before);
  writeFileSync(join(folder, "sharp", name + ".jpg"), result);
  console.log(JSON.stringify({ wall, cpu: user + system, peak: peak(), bytes: result.length }));
}
