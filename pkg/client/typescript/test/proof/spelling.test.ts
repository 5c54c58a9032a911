import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { address, amount, hex, signature, unbase58 } from '../../src/proof/bytes.js';
import { parseLeftOut, parseRow, parseTransaction } from '../../src/proof/line.js';
import { decodeManifest } from '../../src/proof/manifest.js';
import { climb, leaf, pathOf, rootOf, Tree } from '../../src/proof/merkle.js';
import { keptBundles } from './bundle.js';

const { shelf } = keptBundles();
const encode = (text: string) => new TextEncoder().encode(text);
const manifest =
  [...shelf.files.values()].map((c) => new TextDecoder().decode(c)).find((t) => t.includes('"format"')) ?? '';

describe('base58', () => {
  it('is read as the library reads it', () => {
    let seed = 1;
    const byte = () => {
      seed = (seed * 48271) % 2147483647;
      return seed % 256;
    };
    for (let n = 0; n < 2000; n++) {
      const length = n % 2 ? 32 : 64;
      const bytes = Uint8Array.from({ length }, (_, i) => (i < n % 7 ? 0 : byte()));
      const text = base58.encode(bytes);
      expect(hex(unbase58(text, length) as Uint8Array)).toBe(hex(bytes));
      expect(unbase58(`1${text}`, length)).toBeNull();
      expect(unbase58(text, length - 1)).toBeNull();
      expect(unbase58(text, length + 1)).toBeNull();
    }
    expect(hex(unbase58('1'.repeat(32), 32) as Uint8Array)).toBe('00'.repeat(32));
    expect(unbase58(base58.encode(new Uint8Array(32).fill(255)), 32)).toEqual(new Uint8Array(32).fill(255));
    // One more than the largest.
    expect(unbase58('JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFH', 32)).toBeNull();
  });
  it.each([
    '',
    '0',
    'O',
    'l',
    'é'.repeat(32),
    ' '.repeat(32),
    '1'.repeat(33),
    '1'.repeat(31),
  ])('refuses %j', (text) => {
    expect(() => address(text)).toThrow('is not an address');
  });
});

describe('amounts and signatures', () => {
  it.each(['', '-1', '+1', '01', '1.0', ' 1', '1e3', '18446744073709551616', '0x1'])('refuse %j', (text) => {
    expect(() => amount(text)).toThrow('is not an amount');
  });
  it('are read to the last unit', () => {
    expect(amount('18446744073709551615')).toBe(2n ** 64n - 1n);
    expect(signature('')).toBe('');
    expect(() => signature('1'.repeat(64))).toThrow('is not a signature');
  });
});

describe('a line', () => {
  const row = [...shelf.files.values()]
    .flatMap((c) => new TextDecoder().decode(c).split('\n'))
    .find((line) => /^SOL,.*,undecided,,$/.test(line)) as string;
  const cells = row.split(',');
  const bent = (at: number, value: string) => cells.map((cell, i) => (i === at ? value : cell)).join(',');
  it('is read when it is right', () => {
    expect(parseRow(row)).toMatchObject({ asset: 'SOL', owner: cells[1], reason: 'undecided' });
  });
  it.each([
    ['a field less', row.slice(0, row.lastIndexOf(','))],
    ['a field more', `${row},`],
    ['a break', `${row}\r`],
    ['a leading zero', bent(2, `0${cells[2]}`)],
    ['a share more', bent(3, `${BigInt(cells[3] as string) + 1n}`)],
    ['no owner', bent(1, '1'.repeat(32))],
    ['wrapped SOL', bent(0, 'So11111111111111111111111111111111111111112')],
    ['another name of SOL', bent(0, '1'.repeat(32))],
    ['no reason', bent(11, '')],
    ['a long reason', bent(11, 'x'.repeat(33))],
    ['a reason in upper case', bent(11, 'Undecided')],
    ['a hold of zeros', bent(12, '0'.repeat(16))],
    ['a hold in upper case', bent(12, 'AB00000000000000')],
    ['a signature without a payment', bent(13, base58.encode(new Uint8Array(64).fill(9)))],
    ['more reserved than carried', bent(9, `${BigInt(cells[9] as string) + 1n}`)],
    ['less in all than now', bent(6, '1')],
    ['too long', `${row}${' '.repeat(510)}`],
  ])('with %s is refused', (_, line) => {
    expect(line).not.toBe(row);
    expect(() => parseRow(line)).toThrow();
  });
  it('with what was held before is one of the lists that have that', () => {
    const held = [...cells.slice(0, 3), '7', ...cells.slice(3)].join(',');
    const count = BigInt(cells[2] as string);
    if (count === 0n) expect(() => parseRow(held, undefined, true)).toThrow('does not count');
    else expect(parseRow(held, undefined, true)).toMatchObject({ balance: count, before: 7n });
    for (const [line, has] of [
      [held, false],
      [row, true],
    ] as const)
      expect(() => parseRow(line, undefined, has)).toThrow('fields');
    expect(parseLeftOut(`${cells[1]},5,4,not_held`, true)).toMatchObject({ balance: 5n, before: 4n });
    expect(() => parseLeftOut(`${cells[1]},5,4,not_held`)).toThrow('fields');
    expect(() => parseLeftOut(`${cells[1]},5,04,not_held`, true)).toThrow('not an amount');
  });
  it('of another list is refused', () => {
    const owner = cells[1];
    expect(parseLeftOut(`${owner},5,off_curve`).balance).toBe(5n);
    for (const line of [`${owner},0,off_curve`, `${owner},5,`, `${owner},5,Off`, `${owner},05,off_curve`])
      expect(() => parseLeftOut(line)).toThrow();
    const signed = base58.encode(new Uint8Array(64).fill(9));
    expect(parseTransaction(`pay,${signed},9`).slot).toBe(9n);
    for (const line of [`gift,${signed},9`, `pay,,9`, `pay,${signed},0`, `pay,${signed},9,`])
      expect(() => parseTransaction(line)).toThrow();
  });
});

/** The manifest, written by a later list of trusted programs. */
const listed = (text: string, number: string) => text.replace(/\n}\n$/, `,\n\t"trustList": ${number}\n}\n`);

describe('a manifest', () => {
  it('names the list of trusted programs that it was written by, except for list 1', () => {
    expect(decodeManifest(encode(manifest)).trustList).toBe(1n);
    for (const number of [2n, 999n, 65_535n])
      expect(decodeManifest(encode(listed(manifest, `${number}`))).trustList).toBe(number);
  });
  it('is read in its one spelling', () => {
    expect(decodeManifest(encode(manifest)).format).toBe('token distribution proof 2');
  });
  it.each<[string, (text: string) => string]>([
    ['compact', (t) => JSON.stringify(JSON.parse(t))],
    ['without its last break', (t) => t.trimEnd()],
    ['with a second value', (t) => `${t}{}\n`],
    ['with a byte order mark', (t) => `\ufeff${t}`],
    ['of another format', (t) => t.replace('proof 2', 'proof 1')],
    ['with an unknown name', (t) => t.replace('"format"', '"x": 1,\n\t"format"')],
    ['with a leading zero', (t) => t.replace('"worthPaying": "20"', '"worthPaying": "020"')],
    ['with a number for an amount', (t) => t.replace('"worthPaying": "20"', '"worthPaying": 20')],
    ['with an amount for a number', (t) => t.replace('"decimals": 6', '"decimals": "6"')],
    ['with a fraction', (t) => t.replace('"decimals": 6', '"decimals": 6.0')],
    ['with an exponent', (t) => t.replace('"decimals": 6', '"decimals": 6e0')],
    ['with too many decimals', (t) => t.replace('"decimals": 6', '"decimals": 256')],
    ['with another offset', (t) => t.replace(/:00Z/, ':00+00:00')],
    ['with a day that is none', (t) => t.replace(/-21T/, '-31T')],
    ['with an hour that is none', (t) => t.replace(/T0\d:/, 'T24:')],
    ['with a fraction of zeros', (t) => t.replace(/:00Z/, ':00.0Z')],
    ['with null', (t) => t.replace(/"previous": "[^"]*"/, '"previous": null')],
    ['with another case', (t) => t.replace('"previous"', '"Previous"')],
    ...[
      '0',
      '1',
      '-1',
      '02',
      '65536',
      '18446744073709551618',
      '2.0',
      '2e0',
      '"2"',
      'null',
      'true',
      '[2]',
    ].map(
      (number) =>
        [`by list ${number}`, (t: string) => listed(t, number)] as [string, (text: string) => string],
    ),
    ['with an escape', (t) => t.replace('"SOL"', '"\\u0053OL"')],
    ['with an empty field', (t) => t.replace('"leg": 0,', '"leg": 0,\n\t\t\t\t"first": "",')],
    ['without a root', (t) => t.replace(/"root": "[^"]*"/, '"root": ""')],
    ['that is empty', () => ''],
    ['that is too long', (t) => t + ' '.repeat(262_144)],
  ])('%s is refused', (_, change) => {
    expect(change(manifest)).not.toBe(manifest);
    expect(() => decodeManifest(encode(change(manifest)))).toThrow();
  });
});

describe('the tree', () => {
  it('has a path for each leaf of each size, and for nothing else', () => {
    for (let size = 1; size <= 20; size++) {
      const leaves = Array.from({ length: size }, (_, i) => leaf(encode(`line ${i}`)));
      const tree = new Tree();
      for (const hash of leaves) tree.add(hash);
      const root = hex(tree.root());
      expect(hex(rootOf(leaves))).toBe(root);
      for (let i = 0; i < size; i++) {
        const path = pathOf(leaves, i);
        expect(hex(climb(leaves[i] as Uint8Array, i, size, path)?.root ?? new Uint8Array())).toBe(root);
        const other = climb(leaf(encode('other')), i, size, path);
        expect(other && hex(other.root)).not.toBe(root);
        expect(climb(leaves[i] as Uint8Array, i, size, [...path, leaves[0] as Uint8Array])).toBeNull();
      }
      expect(climb(leaves[0] as Uint8Array, size, size, [])).toBeNull();
    }
  });
});
