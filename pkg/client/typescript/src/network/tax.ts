/** The tax of a token, as the chain has it. */
import { base64 } from '@scure/base';
import { Problem } from '../api/problem.js';
import { extensionOf, FEE_CONFIG } from '../proof/mint.js';
import { TOKEN_2022 } from '../sign/instructions.js';
import type { Ask } from './node.js';

const FEE_CONFIG_BYTES = 108;
/** Where a fee is in the extension: the one before, and the one from its epoch on. */
const [OLDER, NEWER] = [72, 90];
/** Where the basis points are in a fee, after its epoch and the most that it withholds. */
const POINTS = 16;

/**
 * Returns the tax of a mint in percent, in the epoch that the node is in: 0 for a token without one.
 * Throws a Problem when there is no such mint or the node does not answer. The tax comes from the node
 * because a check composes the service's transaction again with the tax. With a tax from the service,
 * the service could choose the number that its transaction is compared with.
 */
export async function taxOf(ask: Ask, mint: string): Promise<number> {
  const commitment = 'confirmed';
  const [{ value }, { epoch }] = await Promise.all([
    ask<{ value: { owner: string; data: [string, string] } | null }>('getAccountInfo', [
      mint,
      { commitment, encoding: 'base64' },
    ]),
    ask<{ epoch: number }>('getEpochInfo', [{ commitment }]),
  ]);
  if (!value) throw new Problem('token_not_found', `The Solana node knows no mint ${mint}.`);
  const config = value.owner === TOKEN_2022 ? extensionOf(base64.decode(value.data[0]), FEE_CONFIG) : null;
  if (!config || config.length < FEE_CONFIG_BYTES) return 0;
  const view = new DataView(config.buffer, config.byteOffset, config.byteLength);
  const at = view.getBigUint64(NEWER, true) <= BigInt(epoch) ? NEWER : OLDER;
  return view.getUint16(at + POINTS, true) / 100;
}
