// Makes the transaction of a launch with the official clients, for `make bench`: as a
// program would that uses nothing else, with all that it can do beforehand done.
//
// stdin: JSON {inputs, measure}, the inputs those of infra/bench/launchtx. measure is null,
// or {warm, rounds}: how many of each work are done before, and how many are measured.
// stdout: JSON {transactions, samples}: what works.complete makes of each input, in base64;
// nanoseconds of processor and wall time by work.
import * as kit from '@solana/kit';
import * as budget from '@solana-program/compute-budget';
import * as system from '@solana-program/system';
import * as token from '@solana-program/token-2022';

const bytes = (base64) => new Uint8Array(Buffer.from(base64, 'base64'));

// prepare brings an input into kit's types, and its keys into WebCrypto's, which kit signs with.
async function prepare(input) {
  const mintKey = await kit.createKeyPairFromPrivateKeyBytes(bytes(input.mintSeed));
  const authorityKey = await kit.createKeyPairFromPrivateKeyBytes(bytes(input.authoritySeed));
  const big = Object.fromEntries(['supply', 'rent', 'space', 'funding', 'microLamports'].map((k) => [k, BigInt(input[k])]));
  return {
    ...input, ...big, mintKey, authorityKey,
    mint: await kit.getAddressFromPublicKey(mintKey.publicKey),
    authority: await kit.getAddressFromPublicKey(authorityKey.publicKey),
  };
}

async function compile(l) {
  const { mint } = l;
  const payer = kit.createNoopSigner(l.payer);
  const [account] = await token.findAssociatedTokenPda({
    owner: l.payer, mint, tokenProgram: token.TOKEN_2022_PROGRAM_ADDRESS,
  });
  const instructions = [
    budget.getSetComputeUnitLimitInstruction({ units: l.units }),
    budget.getSetComputeUnitPriceInstruction({ microLamports: l.microLamports }),
    system.getCreateAccountInstruction({
      payer, newAccount: kit.createNoopSigner(mint), lamports: l.rent, space: l.space,
      programAddress: token.TOKEN_2022_PROGRAM_ADDRESS,
    }),
    token.getInitializeTransferFeeConfigInstruction({
      mint, transferFeeConfigAuthority: l.payer, withdrawWithheldAuthority: l.wallet,
      transferFeeBasisPoints: l.transferFeeBps, maximumFee: 18446744073709551615n,
    }),
    token.getInitializeMetadataPointerInstruction({ mint, authority: null, metadataAddress: mint }),
    token.getInitializeMint2Instruction({ mint, decimals: l.decimals, mintAuthority: l.payer, freezeAuthority: null }),
    token.getInitializeTokenMetadataInstruction({
      metadata: mint, updateAuthority: l.payer, mint, mintAuthority: payer, name: l.name, symbol: l.symbol, uri: l.uri,
    }),
    token.getCreateAssociatedTokenIdempotentInstruction({ payer, ata: account, owner: l.payer, mint }),
    token.getMintToInstruction({ mint, token: account, mintAuthority: payer, amount: l.supply }),
    token.getSetAuthorityInstruction({
      owned: mint, owner: payer, authorityType: token.AuthorityType.MintTokens, newAuthority: null,
    }),
    token.getUpdateTokenMetadataUpdateAuthorityInstruction({ metadata: mint, updateAuthority: payer, newUpdateAuthority: null }),
    system.getTransferSolInstruction({ source: payer, destination: l.wallet, amount: l.funding }),
  ];
  return kit.compileTransaction(kit.pipe(
    kit.createTransactionMessage({ version: 'legacy' }),
    (m) => kit.setTransactionMessageFeePayer(l.payer, m),
    // kit puts AdvanceNonceAccount in front.
    (m) => kit.setTransactionMessageLifetimeUsingDurableNonce({
      nonce: l.nonce, nonceAccountAddress: l.nonceAccount, nonceAuthorityAddress: l.authority,
    }, m),
    (m) => kit.appendTransactionMessageInstructions(instructions, m),
  ));
}

const serialise = kit.getBase64EncodedWireTransaction;

const complete = async (l) => kit.partiallySignTransaction([l.mintKey, l.authorityKey], await compile(l));

// works are those of works in infra/bench/launchtx, by the same names. compiled is the
// transaction that compile makes of l.
const works = {
  build: async (l) => serialise(await compile(l)),
  sign: (l, compiled) => kit.partiallySignTransaction([l.mintKey], compiled),
  create: async (l) => serialise(await kit.partiallySignTransaction([l.mintKey], await compile(l))),
  complete: async (l) => serialise(await complete(l)),
  checked: async (l) => {
    const transaction = await complete(l);
    const fits = await kit.verifySignature(l.authorityKey.publicKey, transaction.signatures[l.authority], transaction.messageBytes);
    if (!fits) throw new Error('the signature does not fit');
    return serialise(transaction);
  },
};

// take measures one work, done a number of times.
async function take(work, launches, compiled, times) {
  const cpu = process.cpuUsage();
  const began = process.hrtime.bigint();
  for (let n = 0; n < times; n++) await work(launches[n % launches.length], compiled[n % launches.length]);
  const wall = Number(process.hrtime.bigint() - began);
  const used = process.cpuUsage(cpu);
  return { cpu: (used.user + used.system) * 1000, wall, times };
}

process.stdin.setEncoding('utf8');
let text = '';
for await (const chunk of process.stdin) text += chunk;
const { inputs, measure } = JSON.parse(text);
const launches = await Promise.all(inputs.map(prepare));
const compiled = await Promise.all(launches.map(compile));
const answer = { transactions: await Promise.all(launches.map((l) => works.complete(l))), samples: {} };
if (measure) {
  for (const work of Object.values(works)) await take(work, launches, compiled, measure.warm);
  for (const [name, work] of Object.entries(works)) answer.samples[name] = await take(work, launches, compiled, measure.rounds);
}
process.stdout.write(JSON.stringify(answer));
