// Encodes instructions and messages with the official Solana clients, so that
// the service's own codecs can be compared with them.
//
// stdin: a JSON array of cases {kind, ...arguments}; 64-bit integers are
// decimal strings, bytes base64, addresses base58, null means none.
// stdout: a JSON array of what came out, in order: {instruction}, {transaction}, or
// {error} when the client refused.
import * as kit from '@solana/kit';
import * as budget from '@solana-program/compute-budget';
import * as system from '@solana-program/system';
import * as token from '@solana-program/token-2022';
import * as sysvars from '@solana/sysvars';

const signer = (address) => kit.createNoopSigner(address);
const bytes = (base64) => new Uint8Array(Buffer.from(base64, 'base64'));
const base64 = (b) => Buffer.from(b).toString('base64');
const inProgram = (c) => (c.program ? { programAddress: c.program } : {});

const instructions = {
  transfer: (c) => {
    const instruction = system.getTransferSolInstruction({
      source: signer(c.from), destination: c.to, amount: BigInt(c.lamports),
    });
    const references = (c.references ?? []).map((address) => ({ address, role: kit.AccountRole.READONLY }));
    return { ...instruction, accounts: [...instruction.accounts, ...references] };
  },
  createAccount: (c) => system.getCreateAccountInstruction({
    payer: signer(c.payer), newAccount: signer(c.account), lamports: BigInt(c.lamports),
    space: BigInt(c.space), programAddress: c.owner,
  }),
  createAccountWithSeed: (c) => system.getCreateAccountWithSeedInstruction({
    payer: signer(c.payer), newAccount: c.account, base: c.base, seed: c.seed,
    ...(c.base === c.payer ? {} : { baseAccount: signer(c.base) }),
    amount: BigInt(c.lamports), space: BigInt(c.space), programAddress: c.owner,
  }),
  allocateWithSeed: (c) => system.getAllocateWithSeedInstruction({
    newAccount: c.account, baseAccount: signer(c.base), base: c.base, seed: c.seed,
    space: BigInt(c.space), programAddress: c.owner,
  }),
  transferWithSeed: (c) => system.getTransferSolWithSeedInstruction({
    source: c.from, baseAccount: signer(c.base), destination: c.to, amount: BigInt(c.lamports),
    fromSeed: c.seed, fromOwner: c.owner,
  }),
  advanceNonce: (c) => system.getAdvanceNonceAccountInstruction({
    nonceAccount: c.nonce, nonceAuthority: signer(c.authority),
  }),
  withdrawNonce: (c) => system.getWithdrawNonceAccountInstruction({
    nonceAccount: c.nonce, recipientAccount: c.to, nonceAuthority: signer(c.authority),
    withdrawAmount: BigInt(c.lamports),
  }),
  initializeNonce: (c) => system.getInitializeNonceAccountInstruction({
    nonceAccount: c.nonce, nonceAuthority: c.authority,
  }),
  authorizeNonce: (c) => system.getAuthorizeNonceAccountInstruction({
    nonceAccount: c.nonce, nonceAuthority: signer(c.authority), newNonceAuthority: c.newAuthority,
  }),
  unitLimit: (c) => budget.getSetComputeUnitLimitInstruction({ units: c.units }),
  unitPrice: (c) => budget.getSetComputeUnitPriceInstruction({ microLamports: BigInt(c.microLamports) }),
  initializeTransferFeeConfig: (c) => token.getInitializeTransferFeeConfigInstruction({
    mint: c.mint, transferFeeConfigAuthority: c.configAuthority,
    withdrawWithheldAuthority: c.withdrawAuthority,
    transferFeeBasisPoints: c.basisPoints, maximumFee: BigInt(c.maximumFee),
  }),
  setTransferFee: (c) => token.getSetTransferFeeInstruction({
    mint: c.mint, transferFeeConfigAuthority: signer(c.authority),
    transferFeeBasisPoints: c.basisPoints, maximumFee: BigInt(c.maximumFee),
  }),
  transferCheckedWithFee: (c) => token.getTransferCheckedWithFeeInstruction({
    source: c.source, mint: c.mint, destination: c.destination, authority: signer(c.owner),
    amount: BigInt(c.amount), decimals: c.decimals, fee: BigInt(c.fee),
  }),
  withdrawWithheldFromMint: (c) => token.getWithdrawWithheldTokensFromMintInstruction({
    mint: c.mint, feeReceiver: c.destination, withdrawWithheldAuthority: signer(c.authority),
  }),
  withdrawWithheldFromAccounts: (c) => token.getWithdrawWithheldTokensFromAccountsInstruction({
    mint: c.mint, feeReceiver: c.destination, withdrawWithheldAuthority: signer(c.authority),
    numTokenAccounts: c.sources.length, sources: c.sources,
  }),
  harvestWithheldToMint: (c) => token.getHarvestWithheldTokensToMintInstruction({
    mint: c.mint, sources: c.sources,
  }),
  initializeMetadataPointer: (c) => token.getInitializeMetadataPointerInstruction({
    mint: c.mint, authority: c.authority, metadataAddress: c.metadata,
  }),
  initializeMint2: (c) => token.getInitializeMint2Instruction({
    mint: c.mint, decimals: c.decimals, mintAuthority: c.mintAuthority, freezeAuthority: c.freezeAuthority,
  }),
  mintTo: (c) => token.getMintToInstruction({
    mint: c.mint, token: c.account, mintAuthority: signer(c.authority), amount: BigInt(c.amount),
  }),
  setAuthority: (c) => token.getSetAuthorityInstruction({
    owned: c.account, owner: signer(c.current), authorityType: c.type, newAuthority: c.new,
  }),
  transferChecked: (c) => token.getTransferCheckedInstruction({
    source: c.source, mint: c.mint, destination: c.destination, authority: signer(c.owner),
    amount: BigInt(c.amount), decimals: c.decimals,
  }, inProgram(c)),
  burnChecked: (c) => token.getBurnCheckedInstruction({
    account: c.account, mint: c.mint, authority: signer(c.owner),
    amount: BigInt(c.amount), decimals: c.decimals,
  }, inProgram(c)),
  closeAccount: (c) => token.getCloseAccountInstruction({
    account: c.account, destination: c.destination, owner: signer(c.owner),
  }, inProgram(c)),
  // The client appends the rent sysvar, which the programs take or leave.
  syncNative: (c) => {
    const instruction = token.getSyncNativeInstruction({ account: c.account }, inProgram(c));
    return { ...instruction, accounts: instruction.accounts.filter(({ address }) => address !== sysvars.SYSVAR_RENT_ADDRESS) };
  },
  initializeMetadata: (c) => token.getInitializeTokenMetadataInstruction({
    metadata: c.mint, updateAuthority: c.updateAuthority, mint: c.mint,
    mintAuthority: signer(c.mintAuthority), name: c.name, symbol: c.symbol, uri: c.uri,
  }),
  updateMetadataField: (c) => token.getUpdateTokenMetadataFieldInstruction({
    metadata: c.mint, updateAuthority: signer(c.updateAuthority), value: c.value,
    field: c.field === 'Key' ? token.tokenMetadataField('Key', [c.key]) : token.tokenMetadataField(c.field),
  }),
  updateMetadataAuthority: (c) => token.getUpdateTokenMetadataUpdateAuthorityInstruction({
    metadata: c.mint, updateAuthority: signer(c.current), newUpdateAuthority: c.new,
  }),
  createAssociatedIdempotent: (c) => token.getCreateAssociatedTokenIdempotentInstructionAsync({
    payer: signer(c.payer), owner: c.wallet, mint: c.mint,
    ...(c.program ? { tokenProgram: c.program } : {}),
  }),
};

// creation makes a token as the service does. kit itself puts AdvanceNonce
// first, for the lifetime is the nonce's.
async function creation(c) {
  const { mint, payer } = c;
  const [account] = await token.findAssociatedTokenPda({
    owner: payer, mint, tokenProgram: token.TOKEN_2022_PROGRAM_ADDRESS,
  });
  const i = instructions;
  const list = [
    i.unitLimit({ units: c.units }),
    i.unitPrice({ microLamports: c.microLamports }),
    i.createAccount({
      payer, account: mint, lamports: c.rent, space: c.space, owner: token.TOKEN_2022_PROGRAM_ADDRESS,
    }),
    i.initializeTransferFeeConfig({
      mint, configAuthority: c.adjustable ? payer : null, withdrawAuthority: c.wallet,
      basisPoints: c.basisPoints, maximumFee: '18446744073709551615',
    }),
    i.initializeMetadataPointer({ mint, authority: null, metadata: mint }),
    i.initializeMint2({ mint, decimals: c.decimals, mintAuthority: payer, freezeAuthority: null }),
    i.initializeMetadata({
      mint, updateAuthority: payer, mintAuthority: payer, name: c.name, symbol: c.symbol, uri: c.uri,
    }),
    await i.createAssociatedIdempotent({ payer, wallet: payer, mint }),
    i.mintTo({ mint, account, authority: payer, amount: c.supply }),
    i.setAuthority({ account: mint, current: payer, type: token.AuthorityType.MintTokens, new: null }),
  ];
  if (c.immutable) list.push(i.updateMetadataAuthority({ mint, current: payer, new: null }));
  if (c.funding !== '0') list.push(i.transfer({ from: payer, to: c.wallet, lamports: c.funding }));
  return kit.pipe(
    kit.createTransactionMessage({ version: 'legacy' }),
    (m) => kit.setTransactionMessageFeePayer(payer, m),
    (m) => kit.setTransactionMessageLifetimeUsingDurableNonce({
      nonce: c.nonce, nonceAccountAddress: c.nonceAccount, nonceAuthorityAddress: c.nonceAuthority,
    }, m),
    (m) => kit.appendTransactionMessageInstructions(list, m),
  );
}

// plain makes a message of instructions that are given whole.
function plain(c) {
  return kit.pipe(
    kit.createTransactionMessage({ version: 'legacy' }),
    (m) => kit.setTransactionMessageFeePayer(c.payer, m),
    (m) => kit.setTransactionMessageLifetimeUsingBlockhash({ blockhash: c.recent, lastValidBlockHeight: 0n }, m),
    (m) => kit.appendTransactionMessageInstructions(c.instructions.map((i) => ({
      programAddress: i.program, accounts: i.accounts, data: bytes(i.data),
    })), m),
  );
}

// version1 makes a message of version 1, whose config takes the compute budget's place.
const version1 = (c) => ({ ...plain(c), version: 1, config: {
  ...(c.fee === '0' ? {} : { priorityFeeLamports: BigInt(c.fee) }),
  ...(c.units ? { computeUnitLimit: c.units } : {}),
  ...(c.accountsData ? { loadedAccountsDataSizeLimit: c.accountsData } : {}),
} });

const messages = { creation, plain, version1 };

async function encode(c) {
  if (c.kind in messages) {
    const transaction = kit.compileTransaction(await messages[c.kind](c));
    return { transaction: kit.getBase64EncodedWireTransaction(transaction) };
  }
  const { programAddress, accounts, data } = await instructions[c.kind](c);
  return {
    instruction: {
      program: programAddress,
      accounts: accounts?.map(({ address, role }) => ({ address, role })) ?? [],
      data: base64(data),
    },
  };
}

process.stdin.setEncoding('utf8');
let text = '';
for await (const chunk of process.stdin) text += chunk;
const results = [];
for (const c of JSON.parse(text)) {
  try {
    results.push(await encode(c));
  } catch (error) {
    results.push({ error: `${c.kind}: ${error.message}` });
  }
}
process.stdout.write(JSON.stringify(results));
