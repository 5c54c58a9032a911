// A wallet in a file, for trying the API from a shell. It is a toy: the key lies
// unprotected on the disk. It needs Node and nothing else.
//
//   node docs/wallet.mjs address FILE            the address; makes FILE when there is none
//   node docs/wallet.mjs sign-message FILE       signs the text on standard input (base58)
//   node docs/wallet.mjs sign-transaction FILE   signs the base64 transaction on standard input
//   node docs/wallet.mjs field NAME              prints a field of the API's answer on standard input
//
// "field" prints the detail of a refusal on standard error, and fails.
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

function fail(text, status = 1) {
  console.error(text);
  process.exit(status);
}

// A compact-u16, as Solana writes lengths, has three bytes at most: [value, bytes used].
function length(bytes, at) {
  let value = 0;
  for (let i = 0; i < 3 && at + i < bytes.length; i++) {
    value |= (bytes[at + i] & 0x7f) << (7 * i);
    if (bytes[at + i] < 0x80) return [value, i + 1];
  }
  fail('Standard input is no transaction.');
}

// The parts of an encoded transaction: the message, where the signatures begin, and the keys that sign.
function parts(transaction) {
  const [signatures, used] = length(transaction, 0);
  const message = transaction.subarray(used + 64 * signatures);
  const versioned = message.length > 0 && message[0] >= 0x80 ? 1 : 0;
  const header = versioned + 3; // bytes before the number of keys
  const [keys, keysUsed] = length(message, header);
  const first = header + keysUsed;
  if (signatures === 0 || signatures > keys || message.length < first + 32 * keys + 32) fail('Standard input is no transaction.');
  const signers = Array.from({ length: signatures }, (_, i) => message.subarray(first + 32 * i, first + 32 * (i + 1)));
  return { message, used, signers };
}

function field(name) {
  const text = readFileSync(0, 'utf8');
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    fail(`The answer is no JSON: ${text.slice(0, 200) || 'it is empty'}`);
  }
  if (answer?.code && answer?.detail) {
    const fields = (answer.errors ?? []).map((e) => `\n  ${e.field}: ${e.message}`);
    fail(`${answer.code}: ${answer.detail}${fields.join('')}`);
  }
  const value = name.split('.').reduce((at, part) => at?.[part], answer);
  if (value === undefined) fail(`The answer has no ${name}: ${text.slice(0, 200)}`);
  console.log(value);
}

const [command, file] = process.argv.slice(2);
if (!file) fail('usage: node docs/wallet.mjs address|sign-message|sign-transaction FILE, or field NAME', 2);
if (command === 'field') {
  field(file);
  process.exit();
}
if (!existsSync(file)) {
  if (command !== 'address') fail(`There is no wallet at ${file}: make it with "address".`);
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
    const { message, used, signers } = parts(transaction);
    const at = signers.findIndex((signer) => signer.equals(publicKey));
    if (at < 0) fail(`The transaction is not for ${base58(publicKey)} to sign: ${signers.map(base58).join(', ')} sign.`);
    sign(null, message, key).copy(transaction, used + 64 * at);
    console.log(transaction.toString('base64'));
    break;
  }
  default:
    fail(`unknown command ${command}`, 2);
}
