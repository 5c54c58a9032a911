// Has Raydium's own client encode instructions, derive addresses and compute swaps,
// so that the service's can be compared with them.
//
// stdin: a JSON array of cases {kind, ...arguments}; 64-bit integers are decimal
// strings, addresses base58. stdout: a JSON array of what came out, in order, or
// {error} where the client refused.
import { createRequire } from 'node:module';

// The client says on standard output that it found no native code for big integers.
console.log = () => {};
console.warn = () => {};
const require = createRequire(import.meta.url);
const { PublicKey, Transaction } = require('@solana/web3.js');
const BN = require('bn.js');
const raydium = require('@raydium-io/raydium-sdk-v2');

const key = (address) => new PublicKey(address);
const n = (text) => new BN(text);
const text = (number) => (number ?? new BN(0)).toString();

// encoded is an instruction, and the message of a transaction that has it alone.
function encoded(instruction, payer) {
  const transaction = new Transaction({ feePayer: key(payer), recentBlockhash: payer }).add(instruction);
  return {
    instruction: {
      program: instruction.programId.toBase58(),
      accounts: instruction.keys.map(({ pubkey, isSigner, isWritable }) => ({
        address: pubkey.toBase58(), role: Number(isWritable) + 2 * Number(isSigner),
      })),
      data: Buffer.from(instruction.data).toString('base64'),
    },
    message: transaction.compileMessage().serialize().toString('base64'),
  };
}

// keys are the addresses of a pool; a and b are its mints in the order of their bytes.
const keys = (c) => raydium.getCreatePoolKeys({
  programId: key(c.program), configId: key(c.config), mintA: key(c.mints[0]), mintB: key(c.mints[1]),
});

const swap = (make) => (c) => {
  const k = keys(c);
  const [a, b] = c.tokenIn === 0 ? [k.vaultA, k.vaultB] : [k.vaultB, k.vaultA];
  const [i, o] = [c.tokenIn, 1 - c.tokenIn];
  return encoded(make(
    key(c.program), key(c.trader), k.authority, k.configId, k.poolId,
    key(c.accounts[i]), key(c.accounts[o]), a, b, key(c.programs[i]), key(c.programs[o]),
    key(c.mints[i]), key(c.mints[o]), k.observationId, n(c.amounts[0]), n(c.amounts[1]),
  ), c.trader);
};

// tax is the amount withheld of a transfer, or of what must be sent so that it arrives.
const tax = (c, amount, side, arriving) => text(raydium.getTransferAmountFeeV2(
  amount, c.taxes[side] ?? undefined, { epoch: c.epoch, slotsInEpoch: 432000, absoluteSlot: 0 }, arriving,
).fee);

const curve = (c, method, amount) => raydium.CurveCalculator[method](
  amount, n(c.reserves[0]), n(c.reserves[1]), n(c.tradeFeeRate), n(c.creatorFeeRate),
  n(c.protocolFeeRate), n(c.fundFeeRate), c.creatorFeeOnInput,
);

const quote = (sent, taxIn, received, taxOut, r) => ({
  sent: text(sent), taxIn, received: text(received), taxOut, tradeFee: text(r.tradeFee),
  protocolFee: text(r.protocolFee), fundFee: text(r.fundFee), creatorFee: text(r.creatorFee),
});

const kinds = {
  addresses: (c) => {
    const k = keys(c);
    return {
      addresses: {
        config: raydium.getCpmmPdaAmmConfigId(key(c.program), 0).publicKey, authority: k.authority, pool: k.poolId,
        lpMint: k.lpMint, vaults: [k.vaultA, k.vaultB], observation: k.observationId,
      },
    };
  },
  initialize: (c) => {
    const k = keys(c);
    return encoded(raydium.makeCreateCpmmPoolInInstruction(
      key(c.program), key(c.creator), k.configId, k.authority, k.poolId, key(c.mints[0]), key(c.mints[1]), k.lpMint,
      key(c.accounts[0]), key(c.accounts[1]), key(c.shares), k.vaultA, k.vaultB, key(c.feeReceiver),
      key(c.programs[0]), key(c.programs[1]), k.observationId, n(c.amounts[0]), n(c.amounts[1]), n(c.openTime),
    ), c.creator);
  },
  swapBaseInput: swap(raydium.makeSwapCpmmBaseInInstruction),
  swapBaseOutput: swap(raydium.makeSwapCpmmBaseOutInstruction),
  // The client has the parts of a quote with tax, though its own quotes leave tax out.
  exactIn: (c) => {
    const sent = n(c.amount);
    const taxIn = tax(c, sent, 0, false);
    const r = curve(c, 'swapBaseInput', sent.sub(n(taxIn)));
    const taxOut = tax(c, r.outputAmount, 1, false);
    return { quote: quote(sent, taxIn, r.outputAmount.sub(n(taxOut)), taxOut, r) };
  },
  exactOut: (c) => {
    const received = n(c.amount);
    const taxOut = tax(c, received, 1, true);
    const r = curve(c, 'swapBaseOutput', received.add(n(taxOut)));
    const taxIn = tax(c, r.inputAmount, 0, true);
    return { quote: quote(r.inputAmount.add(n(taxIn)), taxIn, received, taxOut, r) };
  },
};

process.stdin.setEncoding('utf8');
let input = '';
for await (const chunk of process.stdin) input += chunk;
const results = JSON.parse(input).map((c) => {
  try {
    return kinds[c.kind](c);
  } catch (error) {
    return { error: `${c.kind}: ${error.message}` };
  }
});
process.stdout.write(JSON.stringify(results));
