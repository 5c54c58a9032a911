// Encodes instructions and accounts, and computes quotes and curves, with the
// official client of Meteora's DAMM v2, so that the service's own can be compared.
//
// stdin: a JSON array of cases {kind, ...arguments}; integers of 64 bits and more are
// decimal strings, bytes base64, addresses base58.
// stdout: a JSON array of what came out, in order: {instruction}, {data} or
// {numbers}, or {error} when the client refused.
import { PublicKey } from '@solana/web3.js';
import BN from 'bn.js';
import meteora from '@meteora-ag/cp-amm-sdk';

const client = new meteora.CpAmm({ commitment: 'confirmed' }); // It is never asked.
const coder = meteora.cpAmmCoder;
const key = (address) => new PublicKey(address);
const number = (text) => new BN(text);
const wrappedSOL = key('So11111111111111111111111111111111111111112');
const tokenProgram = key('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const buyFor = { exactIn: 0, exactOut: 2 };

// market names the accounts of a pool and its position in the client's words.
function market(c) {
  const [mint, nft] = [key(c.mint), key(c.nft)];
  const pool = meteora.deriveCustomizablePoolAddress(mint, wrappedSOL);
  return {
    pool, tokenAMint: mint, tokenBMint: wrappedSOL, tokenAProgram: key(c.program), tokenBProgram: tokenProgram,
    tokenAVault: meteora.deriveTokenVaultAddress(mint, pool), tokenBVault: meteora.deriveTokenVaultAddress(wrappedSOL, pool),
    position: meteora.derivePositionAddress(nft), positionNftAccount: meteora.derivePositionNftAccount(nft), positionNft: nft,
    positionNftMint: nft,
  };
}

// fee encodes a fee on trades; c.fee has what the client asks for.
const fee = (f) => [...meteora.encodeFeeTimeSchedulerParams(
  number(f.cliff), f.periods, number(f.seconds), number(f.reduction), f.mode,
)];

// creation is the client's transaction of a new pool.
const creation = (c) => client.createCustomPool({
  ...market(c), payer: key(c.payer), creator: key(c.creator),
  tokenAAmount: number('1'), tokenBAmount: number('1'),
  sqrtMinPrice: number(c.minSqrtPrice), sqrtMaxPrice: number(c.maxSqrtPrice), initSqrtPrice: number(c.sqrtPrice),
  liquidityDelta: number(c.liquidity),
  poolFees: { baseFee: { data: fee(c.fee) }, compoundingFeeBps: 0, padding: 0, dynamicFee: null },
  hasAlphaVault: false, activationType: 1, collectFeeMode: 1,
  activationPoint: c.activation === null ? null : number(c.activation), isLockLiquidity: true,
}).then(({ tx }) => tx);

// Each returns a transaction, and which of the program's instructions in it is meant.
const transactions = {
  // The client appends two token badges, which the program reads only of mints
  // that it does not take otherwise.
  create: async (c) => [await creation(c), 0, 19],
  createLock: async (c) => [await creation(c), 1],
  lock: async (c) => [await client.permanentLockPosition({
    ...market(c), owner: key(c.owner), unlockedLiquidity: number(c.liquidity),
  }), 0],
  removeAll: async (c) => [await client.removeAllLiquidity({
    ...market(c), owner: key(c.owner), vestings: [],
    tokenAAmountThreshold: number(c.minTokens), tokenBAmountThreshold: number(c.minLamports),
  }), 0],
  claim: async (c) => [await client.claimPositionFee({ ...market(c), owner: key(c.owner) }), 0],
  close: async (c) => [await client.closePosition({ ...market(c), owner: key(c.owner) }), 0],
  swap: async (c) => {
    const m = market(c);
    const exactIn = c.mode === buyFor.exactIn;
    return [await client.swap2({
      ...m, payer: key(c.payer), swapMode: c.mode, referralTokenAccount: null,
      inputTokenMint: c.buy ? wrappedSOL : m.tokenAMint, outputTokenMint: c.buy ? m.tokenAMint : wrappedSOL,
      ...(exactIn ? { amountIn: number(c.amount), minimumAmountOut: number(c.limit) }
        : { amountOut: number(c.amount), maximumAmountIn: number(c.limit) }),
      poolState: { poolFees: { baseFee: { baseFeeInfo: { data: podFee({ cliff: '1', periods: 0, seconds: '0', reduction: '0', mode: 0 }) } } } },
    }), 0];
  },
};

async function instruction(c) {
  const [tx, index, most = 64] = await transactions[c.kind](c);
  const in_ = tx.instructions.filter((i) => i.programId.equals(meteora.CP_AMM_PROGRAM_ID))[index];
  return {
    instruction: {
      program: in_.programId.toBase58(),
      accounts: in_.keys.slice(0, most).map(({ pubkey, isSigner, isWritable }) => (
        { address: pubkey.toBase58(), role: (isWritable ? 1 : 0) + (isSigner ? 2 : 0) })),
      data: in_.data.toString('base64'),
    },
  };
}

// podFee is a fee on trades as a pool keeps it.
const podFee = (f) => [...coder.types.encode('PodAlignedFeeTimeScheduler', {
  cliff_fee_numerator: number(f.cliff), base_fee_mode: f.mode, padding: [0, 0, 0, 0, 0],
  number_of_period: f.periods, period_frequency: number(f.seconds), reduction_factor: number(f.reduction),
})];

// taxed is a mint with a tax, in the form in which the client reads it.
function taxed(tax) {
  const data = Buffer.alloc(4 + 108);
  data.writeUInt16LE(1, 0);
  data.writeUInt16LE(108, 2);
  for (const at of [4 + 72, 4 + 90]) {
    data.writeBigUInt64LE(BigInt(tax.maximumFee), at + 8);
    data.writeUInt16LE(tax.basisPoints, at + 16);
  }
  return { mint: { tlvData: data }, currentEpoch: 1 };
}

// quote returns what a trade costs and brings, as the trader sees it.
function quote(c) {
  const mint = key('11111111111111111111111111111112');
  const tax = c.tax ? taxed(c.tax) : undefined;
  const exactIn = c.mode === buyFor.exactIn;
  const q = client.getQuote2({
    inputTokenMint: c.buy ? wrappedSOL : mint, slippage: 0, currentPoint: number(c.now), hasReferral: false,
    tokenADecimal: 6, tokenBDecimal: 9, swapMode: c.mode,
    ...(exactIn ? { amountIn: number(c.amount) } : { amountOut: number(c.amount) }),
    inputTokenInfo: c.buy ? undefined : tax, outputTokenInfo: c.buy ? tax : undefined,
    poolState: {
      poolFees: {
        baseFee: { baseFeeInfo: { data: podFee(c.fee) } }, protocolFeePercent: 20, referralFeePercent: 20,
        compoundingFeeBps: 0, dynamicFee: { initialized: 0 }, initSqrtPrice: number(c.minSqrtPrice),
      },
      tokenAMint: mint, tokenBMint: wrappedSOL, liquidity: number(c.liquidity), sqrtPrice: number(c.sqrtPrice),
      sqrtMinPrice: number(c.minSqrtPrice), sqrtMaxPrice: number(c.maxSqrtPrice), activationPoint: number(c.activated),
      activationType: 1, poolStatus: 0, collectFeeMode: 1, feeVersion: c.feeVersion,
    },
  });
  const fees = q.claimingFee.add(q.compoundingFee).add(q.protocolFee).add(q.referralFee);
  const arrives = exactIn ? q.minimumAmountOut : number(c.amount);
  const leaves = exactIn ? number(c.amount) : q.maximumAmountIn;
  return { numbers: [leaves, arrives, fees, q.nextSqrtPrice].map(String) };
}

// plan returns the liquidity that tokens make at a price, what the program takes for
// it, and the price after lamports came in.
function plan(c) {
  const [start, max] = [number(c.start), number(c.maxSqrtPrice)];
  const liquidity = meteora.getLiquidityDeltaFromAmountA(number(c.tokens), start, max, 1);
  const { tokenAAmount, tokenBAmount } = meteora.getInitialPoolInformation(1, start, max, start, liquidity);
  const next = meteora.getNextSqrtPriceFromInput(start, liquidity, number(c.lamports), false);
  return { numbers: [liquidity, tokenAAmount, tokenBAmount, next].map(String) };
}

// gross returns what must be sent under a tax so that an amount arrives.
const gross = (c) => ({
  numbers: [String(meteora.calculateTransferFeeIncludedAmount(number(c.amount), taxed(c.tax).mint, 1).amount)],
});

// value fills a field of the program's types out of a stream of numbers: what the
// case names by its path, and ever other bytes elsewhere.
function value(type, path, named, noise) {
  if (type.array && typeof named[path] === 'string') return [...number(named[path]).toBuffer('le', type.array[1])];
  if (path in named) return type === 'pubkey' ? key(named[path]) : wide(type) ? number(named[path]) : named[path];
  if (type === 'pubkey') return new PublicKey(Buffer.from(Array.from({ length: 32 }, noise)));
  if (type === 'bool') return true;
  if (typeof type === 'string') return wide(type) ? new BN(noise()) : noise();
  if (type.array) return Array.from({ length: type.array[1] }, () => value(type.array[0], '-', named, noise));
  return struct(type.defined.name, path === '' ? '' : `${path}.`, named, noise);
}
const wide = (type) => type === 'u64' || type === 'u128' || type === 'i64';
const struct = (name, prefix, named, noise) => Object.fromEntries(
  meteora.CpAmmIdl.types.find((t) => t.name === name).type.fields
    .map((f) => [f.name, value(f.type, prefix + f.name, named, noise)]),
);

// stored encodes an account or event of a type whose named fields are given; all
// others are noise.
function stored(c) {
  let last = 0;
  const noise = () => (last = (last * 37 + 11) % 251);
  const named = { ...c.fields };
  if (c.fee) named['pool_fees.base_fee.base_fee_info.data'] = podFee(c.fee);
  const all = [...meteora.CpAmmIdl.accounts, ...meteora.CpAmmIdl.events];
  const whole = Buffer.alloc(2048); // The client's own buffer is too small for a pool.
  const size = coder.types.typeLayouts.get(c.type).encode(struct(c.type, '', named, noise), whole);
  return {
    data: Buffer.concat([
      Buffer.from(all.find((a) => a.name === c.type).discriminator), whole.subarray(0, size),
    ]).toString('base64'),
  };
}

// earned returns what a position may claim, as the client reads its accounts.
function earned(c) {
  const read = (type, fields) => coder.accounts.decode(type, Buffer.from(stored({ type, fields }).data, 'base64'));
  const camel = (account) => Object.fromEntries(Object.entries(account).map(
    ([name, it]) => [name.replace(/_(.)/g, (_, letter) => letter.toUpperCase()), it]));
  const position = camel(read('Position', c.position));
  position.rewardInfos = [];
  const { feeTokenA, feeTokenB } = meteora.getUnClaimLpFee(camel(read('Pool', c.pool)), position);
  return { numbers: [feeTokenA, feeTokenB].map(String) };
}

const kinds = { quote, plan, gross, stored, earned };

process.stdin.setEncoding('utf8');
let text = '';
for await (const chunk of process.stdin) text += chunk;
const results = [];
for (const c of JSON.parse(text)) {
  try {
    results.push(c.kind in kinds ? kinds[c.kind](c) : await instruction(c));
  } catch (error) {
    results.push({ error: `${c.kind}: ${error.message}` });
  }
}
process.stdout.write(JSON.stringify(results));
