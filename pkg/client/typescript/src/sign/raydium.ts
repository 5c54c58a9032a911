/** Raydium's program for constant-product pools, as far as a new pool needs it. */
import { address, bytesOf, compare, join } from '../proof/bytes.js';
import { ATA_PROGRAM, associated, derived } from '../proof/derive.js';
import { RENT, type Step, SYSTEM, TOKEN, u64, WRAPPED } from './instructions.js';

/** Where the program is, and what pools are made with there. */
export interface Network {
  readonly program: string;
  readonly config: string;
  readonly feeReceiver: string;
}

export const networks: readonly Network[] = [
  {
    program: 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C',
    config: 'D4FPEruKEHrG5TenZ2mpDGEfu1iUvTiqBxvpU8HLBvC2',
    feeReceiver: 'DNXgeM9EiiaAbaWvwjHj9fQQLAX5ZsfHyvmYUNRAdNC8',
  },
  {
    program: 'DRaycpLY18LhpbydsBWbVJtxpNv9oXPgjRSfpF2bWpYb',
    config: '5MxLgy9oPdTC3YgkiePHqr3EoCRD9uLVYRQS2ANAs7wy',
    feeReceiver: '3oE58BKVt8KuYkGxx8zBojugnymWmBiyafWgMrnb6eYy',
  },
];

const INITIALIZE = Uint8Array.of(175, 175, 109, 31, 13, 152, 155, 237);

/** A token's and wrapped SOL's in the program's order, which is that of the mints' bytes. */
function ordered<T>(mint: string, ofToken: T, ofSol: T): [T, T] {
  return compare(address(mint), address(WRAPPED)) < 0 ? [ofToken, ofSol] : [ofSol, ofToken];
}

/** Where the pool of a token is, unless it has a key of its own. */
export const poolAddress = (network: Network, mint: string): string =>
  derived(
    network.program,
    bytesOf('pool'),
    address(network.config),
    ...ordered(mint, address(mint), address(WRAPPED)),
  );

/** A pool that is to be. */
export interface NewPool {
  readonly network: Network;
  readonly pool: string;
  /** The pool has a key of its own, which signs. */
  readonly fresh: boolean;
  readonly wallet: string;
  readonly mint: string;
  readonly tokenProgram: string;
  readonly tokens: bigint;
  readonly lamports: bigint;
}

/** The instruction that makes a pool, which trades at once. */
export function initialize(p: NewPool): Step {
  const { network, pool, mint, wallet } = p;
  const at = (...seeds: Uint8Array[]) => derived(network.program, ...seeds);
  const shares = at(bytesOf('pool_lp_mint'), address(pool));
  const vault = (of: string) => at(bytesOf('pool_vault'), address(pool), address(of));
  return {
    does: 'makes the pool',
    program: network.program,
    accounts: [
      wallet,
      network.config,
      at(bytesOf('vault_and_lp_mint_auth_seed')),
      pool,
      ...ordered(mint, mint, WRAPPED),
      shares,
      ...ordered(mint, associated(wallet, mint, p.tokenProgram), associated(wallet, WRAPPED, TOKEN)),
      associated(wallet, shares, TOKEN),
      ...ordered(mint, vault(mint), vault(WRAPPED)),
      network.feeReceiver,
      at(bytesOf('observation'), address(pool)),
      TOKEN,
      ...ordered(mint, p.tokenProgram, TOKEN),
      ATA_PROGRAM,
      SYSTEM,
      RENT,
    ],
    data: join(INITIALIZE, ...ordered(mint, u64(p.tokens), u64(p.lamports)), u64(0n)),
    signers: p.fresh ? [wallet, pool] : [wallet],
  };
}
