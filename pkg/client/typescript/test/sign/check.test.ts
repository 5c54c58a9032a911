import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { base64 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { type Asked, check, type Given, parse, TransactionMismatchError } from '../../src/sign/index.js';

interface Vector {
  name: string;
  wallet: string;
  asked: Record<string, never>;
  given: Given;
  hostile: { name: string; fields: Record<string, unknown>; why: string }[];
}

// What the service prepared, and what a hostile API could answer instead: Go's client is held to it too.
const vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../testdata/asked.json'), 'utf8'),
) as Vector[];

function askedOf({ asked }: Vector): Asked {
  const a = asked as Record<string, unknown>;
  const mint = a.mint as string;
  if (a.launch)
    return { kind: 'launch', creation: a.launch as never, to: (a.to as { address: string }).address };
  if (a.pool) return { kind: 'pool', pool: a.pool as never };
  if (a.curve) return { kind: 'curve', curve: a.curve as never, tax: a.tax as number };
  if ((a.buy as { lamports?: string } | undefined)?.lamports)
    return { kind: 'spend', mint, trade: a.buy as never, least: BigInt(a.least as string) };
  if (a.buy) return { kind: 'buy', mint, trade: a.buy as never, most: BigInt(a.most as string) };
  if (a.sell) return { kind: 'sell', mint, trade: a.sell as never, least: BigInt(a.least as string) };
  if (a.cancel) return { kind: 'cancel', mint };
  if (a.fees) return { kind: 'fees', mint };
  if (a.lock) return { kind: 'lock', mint, lock: a.lock as never, tax: a.tax as number };
  if (a.promotion)
    return { kind: 'promotion', durationDays: (a.promotion as { durationDays: number }).durationDays };
  return { kind: 'tax', mint, transferFeePercent: a.tax as number };
}

/** What is wrong with an answer; null when nothing is. */
function refusal(vector: Vector, fields: Record<string, unknown>): string | null {
  try {
    check(vector.wallet, askedOf(vector), { ...vector.given, ...fields } as Given);
    return null;
  } catch (cause) {
    if (cause instanceof TransactionMismatchError) return cause.message;
    throw cause;
  }
}

describe('a hostile API gets nothing signed', () => {
  for (const vector of vectors) {
    it(`in place of a ${vector.name}`, () => {
      expect(refusal(vector, {}), 'what was asked for').toBeNull();
      for (const { name, fields, why } of vector.hostile) {
        const said = refusal(vector, fields);
        expect(said, name).not.toBeNull();
        // Amounts are in SOL there and in lamports here.
        if (why !== 'more than') expect(said, name).toContain(why);
      }
    });
  }
  it('of many kinds', () => {
    expect(vectors.length).toBeGreaterThanOrEqual(9);
    expect(vectors.flatMap((v) => v.hostile).length).toBeGreaterThan(200);
  });
});

describe('a launch with a guardian', () => {
  const launches = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../testdata/guarded.json'), 'utf8'),
  ) as { name: string; wallet: string; asked: object; to: { address: string }; given: Given }[];
  for (const { name, wallet, asked, to, given } of launches)
    it(name ? `is refused with ${name}` : 'has the members that were asked for', () => {
      const checked = () =>
        check(wallet, { kind: 'launch', creation: asked as never, to: to.address }, given);
      if (name) expect(checked).toThrow(TransactionMismatchError);
      else expect(checked).not.toThrow();
    });
});

describe('a transaction with another byte', () => {
  for (const vector of vectors)
    it(`is no ${vector.name}`, () => {
      const bytes = base64.decode(vector.given.transaction);
      const { message } = parse(bytes);
      const start = bytes.length - message.length;
      const recent = start + 4 + 32 * (message[3] as number);
      let passed = 0;
      // Of an account a byte is as good as another; Go's client is tried with each.
      for (let at = start; at < bytes.length; at += at < recent ? 16 : 3) {
        if (at >= recent && at < recent + 32) continue;
        const changed = bytes.slice();
        changed[at] = (changed[at] as number) ^ 0x40;
        if (refusal(vector, { transaction: base64.encode(changed) }) === null) passed++;
      }
      // The lowest byte of the limit of compute units; in a launch the key of the service too, and less rent.
      expect(passed).toBeLessThanOrEqual(vector.name === 'launch' ? 41 : 1);
    });
});

describe('what is asked for', () => {
  it('is read strictly', () => {
    const [curve] = vectors.filter((v) => v.name === 'curve');
    if (!curve) throw new Error('no curve');
    const asked = askedOf(curve) as Asked & { kind: 'curve' };
    const other = (change: object) => () =>
      check(curve.wallet, { ...asked, curve: { ...asked.curve, ...change } }, curve.given);
    expect(other({})).not.toThrow();
    expect(other({ targetMarketCap: '85500', targetMarketCapUnit: 'milliSOL' })).not.toThrow();
    for (const change of [
      { targetMarketCap: '85.4' },
      { targetMarketCap: 'a lot' },
      { tokenAmount: '-1' },
      { priceMultiplier: 17 },
      { priceMultiplier: 0.5 },
      { tradeFeePercent: 1.5 },
      { tradeFeePercent: 1.001 },
      { antiSniperFeePercent: 20, antiSniperMinutes: 10 },
      { lockLiquidity: false },
      { initialBuyLamports: '1000' },
      { startsAt: '2026-12-01T00:00:00Z' },
      { startsAt: 'soon' },
      { tokenMint: curve.wallet },
      { tokenMint: 'nothing' },
    ])
      expect(other(change), JSON.stringify(change)).toThrow(TransactionMismatchError);
    expect(() => check(curve.wallet, { ...asked, tax: 4 }, curve.given)).toThrow('data are others');
  });
});
