/** Instructions of the Token program and of Token-2022. */
import type { Instruction } from './chain.js';
import { Fault } from './fault.js';
import { ZERO } from './line.js';
import { littleEndian } from './numbers.js';

/** The tag of the transfer fee extension, whose instructions have a second one. */
const FEE_EXTENSION = 26;

/** The kinds that a reader of transactions tells apart: the tag, and for an extension the second one. */
export const KIND = {
  initAccount: 1 << 8,
  transfer: 3 << 8,
  setAuthority: 6 << 8,
  mintTo: 7 << 8,
  burn: 8 << 8,
  closeAccount: 9 << 8,
  transferChecked: 12 << 8,
  mintToChecked: 14 << 8,
  burnChecked: 15 << 8,
  initAccount2: 16 << 8,
  initAccount3: 18 << 8,
  transferWithFee: (FEE_EXTENSION << 8) | 1,
  withdrawMint: (FEE_EXTENSION << 8) | 2,
  withdrawAccounts: (FEE_EXTENSION << 8) | 3,
} as const;

/** Reads an instruction's kind. */
export function kindOf(data: Uint8Array): number {
  const [tag, second] = data;
  if (tag === undefined || (tag === FEE_EXTENSION && second === undefined))
    throw new Fault('the instruction of the token program is malformed');
  return (tag << 8) | (tag === FEE_EXTENSION ? (second as number) : 0);
}

/** What an instruction moves, burns, mints or withdraws; an account that it does not name is ZERO. */
export interface Movement {
  readonly kind: number;
  readonly from: string;
  readonly mint: string;
  readonly to: string;
  readonly authority: string;
  /** The tax included; zero for what is withdrawn, whose instruction does not say it. */
  readonly amount: bigint;
}

/** Where a kind's accounts from, mint, to and authority stand, and its amount; -1 for none. */
const PLACES: ReadonlyMap<number, readonly [number, number, number, number, number]> = new Map([
  [KIND.transfer, [0, -1, 1, 2, 1]],
  [KIND.transferChecked, [0, 1, 2, 3, 1]],
  [KIND.transferWithFee, [0, 1, 2, 3, 2]],
  [KIND.mintTo, [-1, 0, 1, 2, 1]],
  [KIND.mintToChecked, [-1, 0, 1, 2, 1]],
  [KIND.burn, [0, 1, -1, 2, 1]],
  [KIND.burnChecked, [0, 1, -1, 2, 1]],
  [KIND.withdrawMint, [-1, 0, 1, 2, -1]],
  [KIND.withdrawAccounts, [-1, 0, 1, 2, -1]],
]);

/** Reads an instruction that moves tokens; null for one of another kind. */
export function readMovement({ accounts, data }: Instruction): Movement | null {
  const kind = kindOf(data);
  const places = PLACES.get(kind);
  if (!places) return null;
  const [from, mint, to, authority, amount] = places;
  if (accounts.length <= Math.max(from, mint, to, authority) || (amount > 0 && data.length < amount + 8))
    throw new Fault('the instruction of the token program is malformed');
  const at = (i: number) => accounts[i] ?? ZERO;
  return {
    kind,
    from: at(from),
    mint: at(mint),
    to: at(to),
    authority: at(authority),
    amount: amount > 0 ? littleEndian(data.subarray(amount, amount + 8)) : 0n,
  };
}

/** Whether the kind burns. */
export const burns = (kind: number): boolean => kind === KIND.burn || kind === KIND.burnChecked;
/** Whether the kind mints. */
export const mints = (kind: number): boolean => kind === KIND.mintTo || kind === KIND.mintToChecked;
/** Whether the kind withdraws withheld tax. */
export const withdraws = (kind: number): boolean =>
  kind === KIND.withdrawMint || kind === KIND.withdrawAccounts;
