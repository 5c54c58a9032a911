/**
 * Reads JSON in the one spelling that a proof's files have: indented by a tab, fields in the
 * order of their declaration, a line break at the end. Each byte has its place, so a reader
 * expects it there, and whatever deviates is refused without writing the file again.
 */
import { address, amount, quoted, signature, textOf } from './bytes.js';
import { Fault } from './fault.js';
import { MAX_FILE } from './files.js';

class Scanner {
  at = 0;
  constructor(readonly text: string) {}

  next(literal: string): boolean {
    if (!this.text.startsWith(literal, this.at)) return false;
    this.at += literal.length;
    return true;
  }

  expect(literal: string): void {
    if (!this.next(literal)) this.fail(`${JSON.stringify(literal)} should stand there`);
  }

  /** Takes what the pattern matches here; it has the flag y. */
  take(pattern: RegExp, what: string): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) return this.fail(`${what} should stand there`);
    this.at += found.length;
    return found;
  }

  fail(why: string): never {
    const line = this.text.slice(0, this.at).split('\n').length;
    throw new Fault(`the file is not in its one spelling: line ${line}: ${why}`);
  }
}

/** Reads one value; fields of an object are indented by the given number of tabs. */
export interface Reader<T> {
  (scan: Scanner, tabs: number): T;
  /** What a field is that may be left out, and then is. */
  readonly empty?: T;
}

/** The result of a reader. */
export type Read<R> = R extends Reader<infer T> ? T : never;

/** Reads a whole file. */
export function readFile<T>(content: Uint8Array, reader: Reader<T>): T {
  if (content.length > MAX_FILE) throw new Fault(`a file of ${content.length} bytes, at most ${MAX_FILE}`);
  const scan = new Scanner(textOf(content));
  const value = reader(scan, 0);
  scan.expect('\n');
  if (scan.at !== scan.text.length) scan.fail('the file should end there');
  return value;
}

/** An object with these fields, in this order. */
export function object<T extends object>(fields: { readonly [K in keyof T]: Reader<T[K]> }): Reader<T> {
  const list = Object.entries(fields) as [string, Reader<unknown>][];
  return (scan, tabs) => {
    const value: Record<string, unknown> = {};
    const margin = `\n${'\t'.repeat(tabs + 1)}`;
    let before = `{${margin}`;
    for (const [name, reader] of list) {
      const begins = `${before}"${name}": `;
      if (reader.empty !== undefined && !scan.text.startsWith(begins, scan.at)) {
        value[name] = reader.empty;
        continue;
      }
      scan.expect(begins);
      value[name] = reader(scan, tabs + 1);
      if (reader.empty === value[name]) scan.fail(`the field ${name} is empty and should not be there`);
      before = `,${margin}`;
    }
    scan.expect(`\n${'\t'.repeat(tabs)}}`);
    return value as T;
  };
}

/** A list. */
export function list<T>(reader: Reader<T>): Reader<readonly T[]> {
  return (scan, tabs) => {
    if (scan.next('[]')) return [];
    const margin = `\n${'\t'.repeat(tabs + 1)}`;
    const values: T[] = [];
    let before = `[${margin}`;
    do {
      scan.expect(before);
      values.push(reader(scan, tabs + 1));
      before = `,${margin}`;
    } while (!scan.text.startsWith('\n', scan.at));
    scan.expect(`\n${'\t'.repeat(tabs)}]`);
    return values;
  };
}

/** A list that is present only when it is not empty. */
export function someList<T>(reader: Reader<T>): Reader<readonly T[]> {
  const whole = list(reader);
  const empty: readonly T[] = [];
  return Object.assign(
    (scan: Scanner, tabs: number) => {
      const found = whole(scan, tabs);
      return found.length === 0 ? empty : found;
    },
    { empty },
  );
}

/** A value that is present only when it is not null. */
export function some<T>(reader: Reader<T>): Reader<T | null> {
  return Object.assign((scan: Scanner, tabs: number): T | null => reader(scan, tabs), { empty: null });
}

/** A text. None in a proof has characters that are written in two ways. */
export const text: Reader<string> = (scan) => {
  scan.expect('"');
  const found = scan.take(/[ !#-[\]-~]*/y, 'a plain text');
  scan.expect('"');
  return found;
};

/** A text that is present only when it is not empty. */
export const someText: Reader<string> = Object.assign((scan: Scanner, tabs: number) => text(scan, tabs), {
  empty: '',
});

function integer(least: bigint, most: bigint): Reader<bigint> {
  return (scan) => {
    const found = scan.take(/-?(?:0|[1-9][0-9]{0,19})(?![0-9])/y, 'a number');
    const value = BigInt(found);
    if (value < least || value > most || found === '-0') scan.fail(`the number ${found} is out of its range`);
    return value;
  };
}

/** A number of 64 bits without a sign. */
export const uint64 = integer(0n, 2n ** 64n - 1n);
/** A number of 64 bits with a sign. */
export const int64 = integer(-(2n ** 63n), 2n ** 63n - 1n);
/** A number of 64 bits with a sign, which is left out where it is 0. */
export const someInt64: Reader<bigint> = Object.assign((scan: Scanner, tabs: number) => int64(scan, tabs), {
  empty: 0n,
});
/** A number of 64 bits from 1, which is left out where it is 0. */
export const someUint64: Reader<bigint> = Object.assign(integer(1n, 2n ** 64n - 1n), { empty: 0n });
/** A number of 16 bits from 1, which is left out where it is 1. */
export const uint16From1 = Object.assign(integer(2n, 2n ** 16n - 1n), { empty: 1n });
/** A number of 8 bits without a sign. */
export const uint8 = integer(0n, 255n);

function parsed<T>(parse: (text: string) => T): Reader<T> {
  return (scan, tabs) => parse(text(scan, tabs));
}

/** An amount in base units, in quotes. */
export const units = parsed(amount);
/** An address. */
export const key = parsed((found) => {
  address(found);
  return found;
});
/** A signature, or nothing. */
export const signed = parsed(signature);

/** A moment: seconds and nanoseconds since 1970, and as it is written. */
export interface Moment {
  readonly seconds: bigint;
  readonly nanos: bigint;
  readonly written: string;
}

/** A time in UTC (RFC 3339), the fraction without trailing zeros. */
export const moment = parsed((found): Moment => {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{0,8}[1-9]))?Z$/.exec(found);
  const milliseconds = match ? Date.parse(`${match[1]}Z`) : Number.NaN;
  // A day or hour that does not exist is refused or becomes another one.
  if (Number.isNaN(milliseconds) || new Date(milliseconds).toISOString().slice(0, 19) !== match?.[1])
    throw new Fault(`${quoted(found)} is not a time`);
  return {
    seconds: BigInt(milliseconds) / 1000n,
    nanos: BigInt((match?.[2] ?? '').padEnd(9, '0')),
    written: found,
  };
});
