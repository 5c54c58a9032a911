/** Jupiter Lock, as far as wallets sign it. */
import { address, bytesOf, join } from '../proof/bytes.js';
import { associated, derived } from '../proof/derive.js';
import { MAX_U64, openAccount, type Step, SYSTEM, u64 } from './instructions.js';

const LOCKER = 'LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn';
const EVENT_AUTHORITY = 'AqUDk3wybxjZujrNbKmjr2YTUZ8RA1a1nyGgs1zSmvTG';
const CREATE = Uint8Array.of(181, 155, 104, 183, 182, 128, 35, 47);
const WHOLE = 10_000n;

/** The escrow of a key that is used for it alone. */
export const escrowOf = (base: string): string => derived(LOCKER, bytesOf('escrow'), address(base));

/** How much of a token with a tax in basis points is locked when the given number of base units may leave the wallet. */
export function fit(points: bigint, tokens: bigint): bigint {
  const tax = (sent: bigint) => (sent * points + WHOLE - 1n) / WHOLE;
  if (points >= WHOLE) return 0n;
  let locked = tokens - tax(tokens);
  // Earlier builds of the program round up further than they need to.
  const left = () => {
    if (points === 0n) return locked;
    const sent = (locked * WHOLE + WHOLE - 1n) / (WHOLE - points);
    return sent > MAX_U64 ? sent : locked + tax(sent);
  };
  while (locked > 0n && left() > tokens) locked--;
  return locked;
}

/** A lock of a number of base units, in equal parts. */
export interface Lock {
  readonly wallet: string;
  readonly mint: string;
  readonly tokenProgram: string;
  readonly base: string;
  readonly recipient: string;
  readonly locked: bigint;
  /** When the first part is released, in Unix seconds. */
  readonly first: bigint;
  readonly parts: bigint;
  /** Seconds between two parts. */
  readonly period: bigint;
}

/** Opens the account of the escrow and makes it. */
export function lock(l: Lock): Step[] {
  const escrow = escrowOf(l.base);
  const each = l.parts > 1n ? l.locked / l.parts : 0n;
  const later = l.parts - 1n;
  const numbers = [l.first, l.first, l.parts > 1n ? l.period : 1n, l.locked - each * later, each, later];
  return [
    openAccount('opens the account of the escrow', l.wallet, l.mint, l.tokenProgram, escrow),
    {
      does: 'locks the tokens',
      program: LOCKER,
      // The recipient stays, no one cancels, and there are no further accounts.
      data: join(CREATE, ...numbers.map(u64), new Uint8Array(3)),
      accounts: [
        l.base,
        escrow,
        l.mint,
        associated(escrow, l.mint, l.tokenProgram),
        l.wallet,
        associated(l.wallet, l.mint, l.tokenProgram),
        l.recipient,
        l.tokenProgram,
        SYSTEM,
        EVENT_AUTHORITY,
        LOCKER,
      ],
      signers: [l.base, l.wallet],
    },
  ];
}
