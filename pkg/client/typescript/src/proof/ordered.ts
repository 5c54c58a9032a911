/** Streams in the order of their owners, read together item by item. */
import { compare } from './bytes.js';
import { onCurve } from './derive.js';
import { Fault, within } from './fault.js';
import { BELOW_MINIMUM, type LeftOut, NOT_HELD, OFF_CURVE, type Row } from './line.js';
import { isHeld, type Manifest, minimumOf, weigh } from './manifest.js';

/** What has an owner. */
interface Owned {
  readonly owner: string;
  readonly key: Uint8Array;
}

/** Reads a stream one by one, and sees that its owners ascend. */
export class Ordered<T extends Owned> {
  private ahead: T | null = null;
  private last: T | null = null;
  private ended = false;
  constructor(private readonly stream: AsyncGenerator<T>) {}

  /** Returns the next item without taking it; null at the end. */
  async peek(): Promise<T | null> {
    if (this.ahead || this.ended) return this.ahead;
    const next = await this.stream.next();
    if (next.done) {
      this.ended = true;
      return null;
    }
    if (this.last && compare(this.last.key, next.value.key) >= 0)
      throw new Fault(`${next.value.owner} is out of order`);
    this.last = this.ahead = next.value;
    return this.ahead;
  }

  /** Drops what peek gave. */
  drop(): void {
    this.ahead = null;
  }

  async take(): Promise<T | null> {
    const next = await this.peek();
    this.drop();
    return next;
  }
}

/** Those who are left out: none may share too, and together they have what is said. */
export class Outsiders {
  private readonly list: Ordered<LeftOut>;
  private balance = 0n;
  /** The largest balance that is said to be below the minimum. */
  private belowMinimum = 0n;
  /** Those whose reason neither the balances nor the address show. */
  readonly trusted = { owners: 0n, balance: 0n };
  constructor(
    stream: AsyncGenerator<LeftOut>,
    private readonly m: Manifest,
  ) {
    this.list = new Ordered(this.counted(stream));
  }

  private async *counted(stream: AsyncGenerator<LeftOut>): AsyncGenerator<LeftOut> {
    for await (const left of stream) {
      this.balance += left.balance;
      if (left.why === BELOW_MINIMUM && left.balance > this.belowMinimum) this.belowMinimum = left.balance;
      if (![BELOW_MINIMUM, OFF_CURVE, NOT_HELD].includes(left.why)) {
        this.trusted.owners++;
        this.trusted.balance += left.balance;
      }
      if (left.why === OFF_CURVE && onCurve(left.key))
        throw new Fault(`${left.owner} is left out as off the curve, and is on it`);
      const least = minimumOf(this.m);
      if (left.why === NOT_HELD && (!isHeld(this.m) || left.balance < least || weigh(this.m, left) >= least))
        throw new Fault(`${left.owner} is left out because they did not hold it before, and that is not so`);
      yield left;
    }
  }

  /** Throws when the owner of a row with a balance is left out too. */
  async disjoint(row: Row): Promise<void> {
    for (;;) {
      const next = await others(this.list.peek());
      const order = next ? compare(next.key, row.key) : 1;
      if (order > 0) return;
      if (order === 0 && row.balance > 0n) throw new Fault(`${row.owner} shares and is left out`);
      this.list.drop();
    }
  }

  /** Reads what is left, and holds all of it against what the manifest says. */
  async end(m: Manifest): Promise<void> {
    while (await others(this.list.take()));
    if (this.belowMinimum >= minimumOf(m))
      throw new Fault(
        `an owner with ${this.belowMinimum} is left out, and the minimum is ${m.settings.minimumHolding}`,
      );
    if (this.balance !== m.snapshot.leftOut.balance)
      throw new Fault(
        `those who are left out have ${this.balance} together, not ${m.snapshot.leftOut.balance}`,
      );
  }
}

async function others<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    throw within('those who are left out', cause);
  }
}
