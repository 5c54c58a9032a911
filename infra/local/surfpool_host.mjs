// Runs Surfpool chains in this process, one at a time. Each line of standard input is a
// JSON object of options for the next chain, or null, which ends the last chain. Each response
// is a JSON line on file descriptor 3: {} when the process is ready and when a chain has ended,
// {rpcUrl, wsUrl} when a chain runs. When standard input closes, the process removes the
// directory SCRATCH_FOLDER and ends, so nothing outlives the parent.
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
// A chain stops responding permanently once about 1,024 events are unread.
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
