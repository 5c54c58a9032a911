// Runs one Surfpool chain in this process. The first argument is a JSON object
// of options; one JSON line {rpcUrl, wsUrl} on file descriptor 3 says that it is
// ready. It ends, and removes the folder SCRATCH_FOLDER, when standard input
// closes, so nothing outlives the parent.
import { closeSync, rmSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';

const options = JSON.parse(process.argv[2] ?? '{}');
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

const chain = Surfnet.startWithConfig(options);
// A chain stops answering for good once about 1,024 events wait for a reader.
setInterval(() => chain.drainEvents(), 20);

function end() {
  const scratch = process.env.SCRATCH_FOLDER;
  if (scratch) rmSync(scratch, { recursive: true, force: true });
  process.exit(0);
}
process.stdin.on('end', end);
process.stdin.on('error', end);
process.stdin.resume();

writeSync(3, `${JSON.stringify({ rpcUrl: chain.rpcUrl, wsUrl: chain.wsUrl })}\n`);
closeSync(3);
