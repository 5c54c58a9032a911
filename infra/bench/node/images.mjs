// The peer of the section "images": what the service makes of a picture, made by sharp on
// one thread.
//   stdin: JSON {folder, side, names, warm}, as infra/bench/images has it.
//   stdout: JSON {samples: [{wall, cpu, bytes}], peakKiB}, times in microseconds.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";

const { folder, side, names, warm } = JSON.parse(readFileSync(0, "utf8"));
sharp.cache(false); // the service keeps nothing between pictures either
sharp.concurrency(1);

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

const samples = [];
for (let round = 0; round <= warm; round++) {
  for (const name of names) {
    const file = readFileSync(join(folder, name));
    const [began, before] = [process.hrtime.bigint(), process.cpuUsage()];
    const result = await make(file);
    const wall = Number(process.hrtime.bigint() - began) / 1e3;
    const { user, system } = process.cpuUsage(before);
    if (round < warm) continue;
    samples.push({ wall, cpu: user + system, bytes: result.length });
    writeFileSync(join(folder, side, name + ".jpg"), result);
  }
}
console.log(JSON.stringify({ samples, peakKiB: peak() }));
