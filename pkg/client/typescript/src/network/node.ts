/** A Solana node, asked by JSON-RPC. */
import { Problem, unanswered } from '../api/problem.js';

/** Longest wait for a node, in milliseconds. */
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

/** Calls a method of a node. */
export type Ask = <T>(method: string, params: readonly unknown[]) => Promise<T>;

/** The node at an address. Throws a NodeError when it refuses, and a Problem `node` when it does not answer. */
export const nodeAt =
  (url: string): Ask =>
  async <T>(method: string, params: readonly unknown[]): Promise<T> => {
    let body: { result?: T; error?: { code: number; message: string; data?: unknown } };
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: AbortSignal.timeout(TIMEOUT),
      });
      if (!response.ok)
        throw new Problem('node', `The Solana node answered ${response.status}.`, { retryAfter: AGAIN });
      body = (await response.json()) as typeof body;
    } catch (cause) {
      const problem = cause instanceof Problem ? cause : unanswered(cause);
      if (problem.code === 'node' || problem.code === 'offline') throw problem;
      throw new Problem('node', 'The Solana node cannot be reached.', { retryAfter: AGAIN, cause });
    }
    if (body.error) throw new NodeError(body.error.code, body.error.message, body.error.data);
    return body.result as T;
  };
