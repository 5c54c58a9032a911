// A wallet in a file, for trying the API from a shell. It is a toy: the key lies
// unprotected on the disk. It needs Node and nothing else.
//
//   node docs/wallet.mjs address FILE            the address; makes FILE when there is none
//   node docs/wallet.mjs sign-message FILE       signs the text on standard input (base58)
//   node docs/wallet.mjs sign-transaction FILE   signs the base64 transaction on standard input
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

function base58(bytes) {
  let text = '';
  for (let n = BigInt('0x' + Buffer.from(bytes).toString('hex')); n > 0n; n /= 58n) text = alphabet[Number(n % 58n)] + text;
  for (const b of bytes) {
    if (b !== 0) break;
    text = '1' + text;
  }
  return text;
}

// A compact-u16, as Solana writes lengths: [value, bytes used].
function length(bytes, at) {
  let value = 0;
  for (let i = 0; ; i++) {
    value |= (bytes[at + i] & 0x7f) << (7 * i);
    if (bytes[at + i] < 0x80) return [value, i + 1];
  }
}

const [command, file] = process.argv.slice(2);
if (!file) {
  console.error('usage: node docs/wallet.mjs address|sign-message|sign-transaction FILE');
  process.exit(2);
}
if (!existsSync(file)) {
  if (command !== 'address') {
    console.error(`There is no wallet at ${file}: make it with "address".`);
    process.exit(1);
  }
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
}
const key = createPrivateKey(readFileSync(file));
const publicKey = Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x, 'base64url');

switch (command) {
  case 'address':
    console.log(base58(publicKey));
    break;
  case 'sign-message':
    console.log(base58(sign(null, readFileSync(0), key)));
    break;
  case 'sign-transaction': {
    const transaction = Buffer.from(readFileSync(0, 'utf8').trim(), 'base64');
    const [signatures, used] = length(transaction, 0);
    const message = transaction.subarray(used + 64 * signatures);
    const [, keysUsed] = length(message, 3); // behind the header of three bytes
    for (let i = 0; i < signatures; i++) {
      const signer = message.subarray(3 + keysUsed + 32 * i, 3 + keysUsed + 32 * (i + 1));
      if (signer.equals(publicKey)) sign(null, message, key).copy(transaction, used + 64 * i);
    }
    console.log(transaction.toString('base64'));
    break;
  }
  default:
    console.error(`unknown command ${command}`);
    process.exit(2);
}
