// Runs Surfpool chains in this process, one at a time. Each line of standard input is a
// JSON object of options for the next chain, or null, which ends the last one. Each answer
// is one JSON line on file descriptor 3: {} when this is ready and when a chain has ended,
// {rpcUrl, wsUrl} when one runs. The process ends, and removes the folder SCRATCH_FOLDER,
// when standard input closes, so nothing outlives the parent.
import { rmSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const { platform, arch } = process;
const addon = `@solana/surfpool-${platform}-${arch}${platform === 'linux' ? '-gnu' : ''}`;

let Surfnet;
try {
  ({ Surfnet } = createRequire(import.meta.url)(addon));
} catch (error) {
  const missing = error.code === 'MODULE_NOT_FOUND';
  console.error(missing ? `${addon} is not installed` : `${addon} does not load: ${error.message}`);
  process.exit(3);
}

let chain = null;
// A chain stops answering for good once about 1,024 events wait for a reader.
setInterval(() => chain?.drainEvents(), 20);

const answer = (said) => writeSync(3, `${JSON.stringify(said)}\n`);

function next(line) {
  chain?.stop();
  const options = JSON.parse(line);
  chain = options && Surfnet.startWithConfig(options);
  answer(chain ? { rpcUrl: chain.rpcUrl, wsUrl: chain.wsUrl } : {});
}

function end() {
  const scratch = process.env.SCRATCH_FOLDER;
  if (scratch) rmSync(scratch, { recursive: true, force: true });
  process.exit(0);
}

createInterface({ input: process.stdin }).on('line', next).on('close', end);
process.stdin.on('error', end);
answer({});
