// Makes a mint with a transfer fee on a local chain, and taxes, withdraws and spends, with
// one of the official clients alone, so that the audit of others has others to audit.
//
// stdin: JSON {client, rpc, payer, collector}: kit (with @solana-program/token-2022) or web3
// (web3.js 1.x with @solana/spl-token), the chain's URL, and two funded secret keys of 64
// bytes in base64. stdout: JSON {mint, holder, account}: the mint, who holds its tokens
// in addition to the payer, and the collector's token account.
import { setTimeout as sleep } from 'node:timers/promises';
import * as kit from '@solana/kit';
import * as system from '@solana-program/system';
import * as token from '@solana-program/token-2022';
import * as spl from '@solana/spl-token';
import web3 from '@solana/web3.js';

const bytes = (base64) => new Uint8Array(Buffer.from(base64, 'base64'));
const decimals = 4;
const fee = { bps: 300, maximum: 5000n };
const supply = 1_000_000n;

async function landed(status) {
  for (;;) {
    const found = await status();
    if (found?.err) throw new Error(`the transaction failed: ${JSON.stringify(found.err)}`);
    if (found?.confirmationStatus === 'confirmed' || found?.confirmationStatus === 'finalized') return;
    await sleep(20);
  }
}

// Each client has the functions that the scenario below calls.
const clients = {
  kit: async ({ rpc: url, ...secrets }) => {
    const rpc = kit.createSolanaRpc(url);
    const payer = await kit.createKeyPairSignerFromBytes(bytes(secrets.payer));
    const collector = await kit.createKeyPairSignerFromBytes(bytes(secrets.collector));
    const [mint, holder] = [await kit.generateKeyPairSigner(), await kit.generateKeyPairSigner()];
    const account = async (owner) => (await token.findAssociatedTokenPda({
      owner: owner.address, mint: mint.address, tokenProgram: token.TOKEN_2022_PROGRAM_ADDRESS,
    }))[0];
    const accounts = { payer: await account(payer), collector: await account(collector), holder: await account(holder) };
    const open = (owner, ata) => token.getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner: owner.address, mint: mint.address });
    return {
      names: { mint: mint.address, holder: holder.address, account: accounts.collector },
      wallets: { payer, collector },
      accounts,
      send: async (...instructions) => {
        const { value: lifetime } = await rpc.getLatestBlockhash().send();
        const signed = await kit.signTransactionMessageWithSigners(kit.pipe(
          kit.createTransactionMessage({ version: 0 }),
          (m) => kit.setTransactionMessageFeePayerSigner(payer, m),
          (m) => kit.setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
          (m) => kit.appendTransactionMessageInstructions(instructions, m),
        ));
        const signature = await rpc.sendTransaction(kit.getBase64EncodedWireTransaction(signed), { encoding: 'base64' }).send();
        await landed(async () => (await rpc.getSignatureStatuses([signature]).send()).value[0]);
      },
      create: async () => {
        const extension = token.extension('TransferFeeConfig', {
          transferFeeConfigAuthority: payer.address, withdrawWithheldAuthority: payer.address, withheldAmount: 0n,
          olderTransferFee: { epoch: 0n, maximumFee: 0n, transferFeeBasisPoints: 0 },
          newerTransferFee: { epoch: 0n, maximumFee: 0n, transferFeeBasisPoints: 0 },
        });
        const space = BigInt(token.getMintSize([extension]));
        return [
          system.getCreateAccountInstruction({
            payer, newAccount: mint, space, programAddress: token.TOKEN_2022_PROGRAM_ADDRESS,
            lamports: await rpc.getMinimumBalanceForRentExemption(space).send(),
          }),
          token.getInitializeTransferFeeConfigInstruction({
            mint: mint.address, transferFeeConfigAuthority: payer.address, withdrawWithheldAuthority: payer.address,
            transferFeeBasisPoints: fee.bps, maximumFee: fee.maximum,
          }),
          token.getInitializeMintInstruction({ mint: mint.address, decimals, mintAuthority: payer.address }),
          open(payer, accounts.payer), open(collector, accounts.collector), open(holder, accounts.holder),
          token.getMintToInstruction({ mint: mint.address, token: accounts.payer, mintAuthority: payer, amount: supply }),
        ];
      },
      transfer: (authority, source, destination, amount) => token.getTransferCheckedInstruction({
        source, mint: mint.address, destination, authority, amount, decimals,
      }),
      transferWithFee: (authority, source, destination, amount, withheld) => token.getTransferCheckedWithFeeInstruction({
        source, mint: mint.address, destination, authority, amount, decimals, fee: withheld,
      }),
      harvest: (source) => token.getHarvestWithheldTokensToMintInstruction({ mint: mint.address, sources: [source] }),
      withdrawFromMint: (authority, feeReceiver) => token.getWithdrawWithheldTokensFromMintInstruction({
        mint: mint.address, feeReceiver, withdrawWithheldAuthority: authority,
      }),
      withdrawFromAccounts: (authority, feeReceiver, source) => token.getWithdrawWithheldTokensFromAccountsInstruction({
        mint: mint.address, feeReceiver, withdrawWithheldAuthority: authority, numTokenAccounts: 1, sources: [source],
      }),
      giveAway: (from, to) => token.getSetAuthorityInstruction({
        owned: mint.address, owner: from, authorityType: token.AuthorityType.WithheldWithdraw, newAuthority: to.address,
      }),
      burn: (authority, account, amount) => token.getBurnCheckedInstruction({ account, mint: mint.address, authority, amount, decimals }),
    };
  },

  web3: async ({ rpc: url, ...secrets }) => {
    const connection = new web3.Connection(url, 'confirmed');
    const payer = web3.Keypair.fromSecretKey(bytes(secrets.payer));
    const collector = web3.Keypair.fromSecretKey(bytes(secrets.collector));
    const [mintKey, holder] = [web3.Keypair.generate(), web3.Keypair.generate()];
    const [mint, program] = [mintKey.publicKey, spl.TOKEN_2022_PROGRAM_ID];
    const account = (owner) => spl.getAssociatedTokenAddressSync(mint, owner.publicKey, false, program);
    const accounts = { payer: account(payer), collector: account(collector), holder: account(holder) };
    const open = (owner, ata) => spl.createAssociatedTokenAccountIdempotentInstruction(payer.publicKey, ata, owner.publicKey, mint, program);
    const keys = [payer, collector, mintKey];
    return {
      names: { mint: mint.toBase58(), holder: holder.publicKey.toBase58(), account: accounts.collector.toBase58() },
      wallets: { payer, collector },
      accounts,
      send: async (...instructions) => {
        const { blockhash } = await connection.getLatestBlockhash();
        const transaction = new web3.Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash }).add(...instructions);
        const signers = new Set(transaction.compileMessage().accountKeys.slice(0, transaction.compileMessage().header.numRequiredSignatures).map(String));
        transaction.sign(...keys.filter((k) => signers.has(k.publicKey.toBase58())));
        const signature = await connection.sendRawTransaction(transaction.serialize());
        await landed(async () => (await connection.getSignatureStatuses([signature])).value[0]);
      },
      create: async () => {
        const space = spl.getMintLen([spl.ExtensionType.TransferFeeConfig]);
        return [
          web3.SystemProgram.createAccount({
            fromPubkey: payer.publicKey, newAccountPubkey: mint, space, programId: program,
            lamports: await connection.getMinimumBalanceForRentExemption(space),
          }),
          spl.createInitializeTransferFeeConfigInstruction(mint, payer.publicKey, payer.publicKey, fee.bps, fee.maximum, program),
          spl.createInitializeMintInstruction(mint, decimals, payer.publicKey, null, program),
          open(payer, accounts.payer), open(collector, accounts.collector), open(holder, accounts.holder),
          spl.createMintToInstruction(mint, accounts.payer, payer.publicKey, supply, [], program),
        ];
      },
      transfer: (authority, source, destination, amount) => spl.createTransferCheckedInstruction(
        source, mint, destination, authority.publicKey, amount, decimals, [], program,
      ),
      transferWithFee: (authority, source, destination, amount, withheld) => spl.createTransferCheckedWithFeeInstruction(
        source, mint, destination, authority.publicKey, amount, decimals, withheld, [], program,
      ),
      harvest: (source) => spl.createHarvestWithheldTokensToMintInstruction(mint, [source], program),
      withdrawFromMint: (authority, to) => spl.createWithdrawWithheldTokensFromMintInstruction(mint, to, authority.publicKey, [], program),
      withdrawFromAccounts: (authority, to, source) => spl.createWithdrawWithheldTokensFromAccountsInstruction(
        mint, to, authority.publicKey, [], [source], program,
      ),
      giveAway: (from, to) => spl.createSetAuthorityInstruction(
        mint, from.publicKey, spl.AuthorityType.WithheldWithdraw, to.publicKey, [], program,
      ),
      burn: (authority, from, amount) => spl.createBurnInstruction(from, mint, authority.publicKey, amount, [], program),
    };
  },
};

process.stdin.setEncoding('utf8');
let text = '';
for await (const chunk of process.stdin) text += chunk;
const input = JSON.parse(text);
const c = await clients[input.client](input);
const { payer, collector } = c.wallets;
const at = c.accounts;
await c.send(...await c.create());
await c.send(c.transfer(payer, at.payer, at.holder, 50_000n)); // withholds 1,500
await c.send(c.transferWithFee(payer, at.payer, at.holder, 10_000n, 300n));
await c.send(c.harvest(at.holder), c.withdrawFromMint(payer, at.collector)); // 1,800
await c.send(c.giveAway(payer, collector));
await c.send(c.transfer(payer, at.payer, at.holder, 100_000n)); // 3,000
await c.send(c.withdrawFromAccounts(collector, at.collector, at.holder));
await c.send(c.transfer(collector, at.collector, at.holder, 500n), c.burn(collector, at.collector, 300n)); // 15
await c.send(c.transfer(payer, at.payer, at.holder, 200_000n)); // the maximum, 5,000
process.stdout.write(JSON.stringify(c.names));
