import { ApiProblem, problemFrom } from '../api/problem';
import { config } from '../config';

/** Longest wait for the node, in milliseconds. */
const TIMEOUT = 15_000;
/** Seconds after which a node that did not answer is asked again. */
const AGAIN = 3;

/** What a node said instead of a result. */
export class NodeError extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.name = 'NodeError';
    this.code = code;
    this.data = data;
  }
}

/** Calls a Solana node. Throws a NodeError when it refuses, and an ApiProblem when it does not answer. */
export async function node<T>(method: string, params: readonly unknown[]): Promise<T> {
  let body: { result?: T; error?: { code: number; message: string; data?: unknown } };
  try {
    const response = await fetch(config.rpcUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (!response.ok)
      throw new ApiProblem('node', `The Solana node answered ${response.status}.`, { retryAfter: AGAIN });
    body = (await response.json()) as typeof body;
  } catch (cause) {
    const problem = problemFrom(cause);
    if (problem.code === 'node' || problem.code === 'offline') throw problem;
    throw new ApiProblem('node', 'The Solana node cannot be reached.', { retryAfter: AGAIN });
  }
  if (body.error) throw new NodeError(body.error.code, body.error.message, body.error.data);
  return body.result as T;
}

/** What a wallet has, in lamports. */
export async function balance(wallet: string): Promise<bigint> {
  const got = await node<{ value: number }>('getBalance', [wallet, { commitment: 'confirmed' }]);
  return BigInt(got.value);
}

/** Gives a wallet SOL out of nothing, as a local chain does, and waits until it is there. */
export async function airdrop(wallet: string, lamports: bigint): Promise<void> {
  const before = await balance(wallet);
  await node('requestAirdrop', [wallet, Number(lamports)]);
  for (let tries = 0; tries < 30; tries++) {
    if ((await balance(wallet)) > before) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new ApiProblem('node', 'The airdrop has not arrived.', { retryAfter: AGAIN });
}

/** Tries an unsigned transaction (base64) on the chain as it is now; the network's word for why it fails, or null. */
export async function simulate(transaction: string): Promise<unknown> {
  const got = await node<{ value: { err: unknown } }>('simulateTransaction', [
    transaction,
    { encoding: 'base64', sigVerify: false, commitment: 'confirmed' },
  ]);
  return got.value.err ?? null;
}
