import { base58, base64 } from '@scure/base';
import { address, join } from '../../src/proof/bytes.js';
import { withSeed } from '../../src/proof/derive.js';

const SYSTEM = '1'.repeat(32);
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';

/** An instruction of what landed; its data in base58. */
export interface Told {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: string;
}

/** What landed, as Go's tests write it: see record_test.go of package proof. */
export interface Landed {
  /** Of the transaction; legacy unless it says. */
  readonly version?: number;
  readonly slot: number;
  readonly failed: string;
  readonly fee: number;
  /** Balances of accounts in SOL, and of owners in tokens. */
  readonly changes: readonly {
    readonly owner: string;
    readonly asset: string;
    readonly before: number;
    readonly after: number;
  }[];
  readonly burned: { readonly [mint: string]: number };
  readonly instructions: readonly Told[];
}

/** A little-endian number of 8 bytes. */
export const le = (n: bigint): Uint8Array =>
  Uint8Array.from({ length: 8 }, (_, i) => Number((n >> BigInt(8 * i)) & 255n));

const seedOf = (number: number): string => `receipt${String(number).padStart(12, '0')}`;
const receiptOf = (wallet: string, number: number): string =>
  base58.encode(withSeed(address(wallet), seedOf(number), address(SYSTEM)));

/** The instruction that makes a receipt of the wallet's. */
export function receipt(wallet: string, number: number, lamports: bigint): Told {
  const seed = new TextEncoder().encode(seedOf(number));
  const data = join(
    Uint8Array.of(3, 0, 0, 0),
    address(wallet),
    le(BigInt(seed.length)),
    seed,
    le(lamports),
    le(0n),
    address(SYSTEM),
  );
  return { program: SYSTEM, accounts: [wallet, receiptOf(wallet, number)], data: base58.encode(data) };
}

/** The instruction that empties a receipt of the wallet's. */
export function returned(wallet: string, to: string, number: number, lamports: bigint): Told {
  const seed = new TextEncoder().encode(seedOf(number));
  const data = join(Uint8Array.of(11, 0, 0, 0), le(lamports), le(BigInt(seed.length)), seed, address(SYSTEM));
  return { program: SYSTEM, accounts: [receiptOf(wallet, number), wallet, to], data: base58.encode(data) };
}

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';

/** The instructions that offer so many lamports for a million units, in transactions that heed them. */
export const offering = (lamports: bigint): Told[] => [
  {
    program: COMPUTE_BUDGET,
    accounts: [],
    data: base58.encode(join(Uint8Array.of(2), le(1_000_000n).subarray(0, 4))),
  },
  { program: COMPUTE_BUDGET, accounts: [], data: base58.encode(join(Uint8Array.of(3), le(lamports))) },
];

/** What a node answers to getTransaction with the encoding json. */
export function answer(landed: Landed): unknown {
  const burns = Object.entries(landed.burned).map(([mint, amount]) => ({
    program: TOKEN_2022,
    accounts: [mint, mint, mint],
    data: base58.encode(join(Uint8Array.of(8), le(BigInt(amount)))),
  }));
  const list: Told[] = [...landed.instructions, ...burns];
  const sol = new Map(landed.changes.filter((c) => c.asset === 'SOL').map((c) => [c.owner, c]));
  const keys = [...new Set([...sol.keys(), ...list.flatMap((i) => [i.program, ...i.accounts])])];
  const tokens = (of: 'before' | 'after') =>
    landed.changes
      .filter((c) => c.asset !== 'SOL')
      .map((c) => ({ owner: c.owner, mint: c.asset, uiTokenAmount: { amount: String(c[of]) } }));
  return {
    slot: landed.slot,
    version: landed.version ?? 'legacy',
    transaction: {
      message: {
        header: { numRequiredSignatures: 1 },
        accountKeys: keys,
        instructions: list.map((i) => ({
          programIdIndex: keys.indexOf(i.program),
          accounts: i.accounts.map((a) => keys.indexOf(a)),
          data: i.data,
        })),
      },
    },
    meta: {
      err: landed.failed === '' ? null : landed.failed,
      fee: landed.fee,
      preBalances: keys.map((k) => sol.get(k)?.before ?? 0),
      postBalances: keys.map((k) => sol.get(k)?.after ?? 0),
      preTokenBalances: tokens('before'),
      postTokenBalances: tokens('after'),
    },
  };
}

/** The mint's account, with who may withdraw the tax. */
export function mintAccount(withdrawer: string): unknown {
  const fee = new Uint8Array(108);
  fee.set(address(withdrawer), 32);
  const data = join(new Uint8Array(165), Uint8Array.of(1, 1, 0, 108, 0), fee);
  return { value: { owner: TOKEN_2022, data: [base64.encode(data), 'base64'] } };
}
