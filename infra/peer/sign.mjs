// Signs a transaction with each of the official Solana clients, as a wallet
// would, and serialises it.
//
// stdin: a JSON array of {transaction, secret, client}: an unsigned or partly
// signed transaction in base64, a 64-byte secret key in base64, and one of the
// clients below.
// stdout: a JSON array of {transaction} in base64, or {error}.
import * as kit from '@solana/kit';
import web3 from '@solana/web3.js';

const bytes = (base64) => new Uint8Array(Buffer.from(base64, 'base64'));
const base64 = (b) => Buffer.from(b).toString('base64');
const pair = (secret) => web3.Keypair.fromSecretKey(bytes(secret));
const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95';
const BUDGET = 'ComputeBudget111111111111111111111111111111';
const ASSERTION = new Uint8Array([5, 0, 1]);
// 300,000 millionths of a lamport for a compute unit.
const PRICE = new Uint8Array([3, 0xe0, 0x93, 4, 0, 0, 0, 0, 0]);
const partly = { requireAllSignatures: false, verifySignatures: false };

const clients = {
  // partialSign keeps the signatures that are there.
  'web3-legacy': ({ transaction, secret }) => {
    const tx = web3.Transaction.from(bytes(transaction));
    tx.partialSign(pair(secret));
    return tx.serialize(partly);
  },
  // sign drops them.
  'web3-legacy-sign': ({ transaction, secret }) => {
    const tx = web3.Transaction.from(bytes(transaction));
    tx.sign(pair(secret));
    return tx.serialize(partly);
  },
  // The versioned class around a legacy message.
  'web3-versioned': ({ transaction, secret }) => {
    const tx = web3.VersionedTransaction.deserialize(bytes(transaction));
    tx.sign([pair(secret)]);
    return tx.serialize();
  },
  kit: async ({ transaction, secret }) => {
    const tx = kit.getTransactionDecoder().decode(bytes(transaction));
    const key = await kit.createKeyPairFromBytes(bytes(secret));
    return kit.getTransactionEncoder().encode(await kit.partiallySignTransaction([key], tx));
  },
  // A wallet that sets its own price and adds an assertion about its owner's account.
  'web3-guarded': ({ transaction, secret }) => {
    const tx = web3.Transaction.from(bytes(transaction));
    const { publicKey } = pair(secret);
    for (const i of tx.instructions)
      if (i.programId.toBase58() === BUDGET && i.data[0] === PRICE[0]) i.data = Buffer.from(PRICE);
    const keys = [{ pubkey: publicKey, isSigner: false, isWritable: false }];
    const programId = new web3.PublicKey(LIGHTHOUSE);
    tx.add(new web3.TransactionInstruction({ programId, keys, data: Buffer.from(ASSERTION) }));
    tx.partialSign(pair(secret));
    return tx.serialize(partly);
  },
  'kit-guarded': async ({ transaction, secret }) => {
    const tx = kit.getTransactionDecoder().decode(bytes(transaction));
    const issued = kit.getCompiledTransactionMessageDecoder().decode(tx.messageBytes);
    const message = kit.decompileTransactionMessage(issued);
    const own = message.instructions.map((i) =>
      i.programAddress === BUDGET && i.data[0] === PRICE[0] ? { ...i, data: PRICE } : i,
    );
    const accounts = [{ address: message.feePayer.address, role: kit.AccountRole.READONLY }];
    own.push({ programAddress: LIGHTHOUSE, accounts, data: ASSERTION });
    const guarded = kit.compileTransaction({ ...message, instructions: own });
    const key = await kit.createKeyPairFromBytes(bytes(secret));
    return kit.getTransactionEncoder().encode(await kit.partiallySignTransaction([key], guarded));
  },
};

process.stdin.setEncoding('utf8');
let text = '';
for await (const chunk of process.stdin) text += chunk;
const results = [];
for (const c of JSON.parse(text)) {
  try {
    results.push({ transaction: base64(await clients[c.client](c)) });
  } catch (error) {
    results.push({ error: `${c.client}: ${error.message}` });
  }
}
process.stdout.write(JSON.stringify(results));
