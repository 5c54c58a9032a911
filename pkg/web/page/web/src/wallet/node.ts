import { Problem } from 'tokenlaunch/api';
import { nodeAt } from 'tokenlaunch/network';
import { config } from '../config';

/** Seconds until an unresponsive node is called again. */
const AGAIN = 3;

/** The Solana node of this deployment. */
export const node = nodeAt(config.rpcUrl);

/** Returns a wallet's balance, in lamports. */
export async function balance(wallet: string): Promise<bigint> {
  const got = await node<{ value: number }>('getBalance', [wallet, { commitment: 'confirmed' }]);
  return BigInt(got.value);
}

/** Returns a wallet's balance of a token, in base units. */
export async function tokens(wallet: string, mint: string): Promise<bigint> {
  type Account = { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } };
  const got = await node<{ value: Account[] }>('getTokenAccountsByOwner', [
    wallet,
    { mint },
    { encoding: 'jsonParsed', commitment: 'confirmed' },
  ]);
  return got.value.reduce(
    (sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount),
    0n,
  );
}

/** Airdrops SOL to a wallet on a local chain, and waits for the balance. */
export async function airdrop(wallet: string, lamports: bigint): Promise<void> {
  const before = await balance(wallet);
  await node('requestAirdrop', [wallet, Number(lamports)]);
  for (let tries = 0; tries < 30; tries++) {
    if ((await balance(wallet)) > before) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Problem('node', 'The airdrop has not arrived.', { retryAfter: AGAIN });
}

/** Simulates an unsigned transaction (base64) on the present chain; returns the network's error, or null. */
export async function simulate(transaction: string): Promise<unknown> {
  const got = await node<{ value: { err: unknown } }>('simulateTransaction', [
    transaction,
    { encoding: 'base64', sigVerify: false, commitment: 'confirmed' },
  ]);
  return got.value.err ?? null;
}
