// Encodes instructions and escrows of Jupiter Lock with a client of its own, so that the
// service's own can be compared.
//
// stdin: a JSON array of cases {kind, ...arguments}; integers of 64 bits are decimal strings,
// addresses base58. stdout: a JSON array of {instruction} or {data}, or {error}.
import { Connection, PublicKey } from '@solana/web3.js';
import { getAssociatedTokenAddressSync } from '@solana/spl-token';
import BN from 'bn.js';
import * as lock from '@meteora-ag/met-lock-sdk';

const { program } = new lock.LockClient(new Connection('http://127.0.0.1:1'), 'confirmed'); // It is never asked.
const key = (address) => new PublicKey(address);
const number = (text) => new BN(text);
const account = (c, owner) => getAssociatedTokenAddressSync(key(c.mint), owner, true, key(c.program));

const kinds = {
  create: (c) => program.methods.createVestingEscrowV2({
    vestingStartTime: number(c.start), cliffTime: number(c.start), frequency: number(c.period),
    cliffUnlockAmount: number(c.first), amountPerPeriod: number(c.each), numberOfPeriod: number(c.times),
    updateRecipientMode: lock.UpdateRecipientMode.NeitherCreatorOrRecipient, cancelMode: lock.CancelMode.NeitherCreatorOrRecipient,
  }, null).accountsPartial({
    base: key(c.base), senderToken: account(c, key(c.sender)), recipient: key(c.recipient), tokenMint: key(c.mint),
    sender: key(c.sender), tokenProgram: key(c.program),
  }).instruction(),
  claim: (c) => program.methods.claimV2(number(c.most), null).accountsPartial({
    escrow: lock.deriveEscrow(key(c.base)), escrowToken: account(c, lock.deriveEscrow(key(c.base))), tokenMint: key(c.mint),
    recipient: key(c.recipient), recipientToken: account(c, key(c.recipient)), tokenProgram: key(c.program),
    memoProgram: lock.MEMO_PROGRAM_ID,
  }).instruction(),
};

async function escrow(c) {
  const [zero, noise] = [number('0'), number('11')];
  const data = await program.coder.accounts.encode('vestingEscrow', {
    recipient: key(c.recipient), tokenMint: key(c.mint), creator: key(c.sender), base: key(c.base), escrowBump: 3,
    updateRecipientMode: c.update, cancelMode: c.cancel, tokenProgramFlag: 1, padding0: [7, 7, 7, 7],
    cliffTime: number(c.start), frequency: number(c.period), cliffUnlockAmount: number(c.first), amountPerPeriod: number(c.each),
    numberOfPeriod: number(c.times), totalClaimedAmount: number(c.most), vestingStartTime: noise, cancelledAt: noise, padding1: noise,
    buffer: [zero, zero, zero, zero, zero],
  });
  return { data: data.toString('base64') };
}

async function instruction(c) {
  const i = await kinds[c.kind](c);
  return {
    instruction: {
      program: i.programId.toBase58(),
      accounts: i.keys.map((k) => ({ address: k.pubkey.toBase58(), role: (k.isSigner ? 2 : 0) + (k.isWritable ? 1 : 0) })),
      data: i.data.toString('base64'),
    },
  };
}

process.stdin.setEncoding('utf8');
let text = '';
for await (const chunk of process.stdin) text += chunk;
const results = [];
for (const c of JSON.parse(text)) {
  try {
    results.push(await (c.kind === 'escrow' ? escrow(c) : instruction(c)));
  } catch (error) {
    results.push({ error: `${c.kind}: ${error.message}` });
  }
}
process.stdout.write(JSON.stringify(results));
