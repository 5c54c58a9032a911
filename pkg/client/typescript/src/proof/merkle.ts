/**
 * The tree over the lines of a list: that of Certificate Transparency (RFC 6962, section
 * 2.1): SHA-256, a leaf is hashed with the prefix 0 and a node with the prefix 1.
 */
import { sha256 } from '@noble/hashes/sha2.js';

const LEAF = Uint8Array.of(0);

/** The hash of a line. */
export const leaf = (line: Uint8Array): Uint8Array => sha256.create().update(LEAF).update(line).digest();

function node(left: Uint8Array, right: Uint8Array): Uint8Array {
  const both = new Uint8Array(65);
  both[0] = 1;
  both.set(left, 1);
  both.set(right, 33);
  return sha256(both);
}

/** Takes leaves one after the other, and keeps as many hashes as its size has bits. */
export class Tree {
  private readonly stack: Uint8Array[] = [];
  size = 0;

  /** Appends a leaf, or a full subtree; the last one added may be smaller. */
  add(hash: Uint8Array): void {
    let last = hash;
    for (let n = this.size; n % 2 === 1; n = (n - 1) / 2) last = node(this.stack.pop() as Uint8Array, last);
    this.stack.push(last);
    this.size++;
  }

  /** The hash of all leaves so far. That of none is the SHA-256 of nothing. */
  root(): Uint8Array {
    if (this.size === 0) return sha256(new Uint8Array());
    return this.stack.reduceRight((right, left) => node(left, right));
  }
}

/** The hash of the leaves. */
export function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  const tree = new Tree();
  for (const hash of leaves) tree.add(hash);
  return tree.root();
}

/** The neighbours on the way from the leaf at index to the root, the nearest first. */
export function pathOf(leaves: readonly Uint8Array[], index: number): Uint8Array[] {
  if (leaves.length <= 1) return [];
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  const [left, right] = [leaves.slice(0, half), leaves.slice(half)];
  return index < half
    ? [...pathOf(left, index), rootOf(right)]
    : [...pathOf(right, index - half), rootOf(left)];
}

/** One step of a path: the neighbour, on which side it is, and the hash of both. */
export interface Step {
  readonly neighbour: Uint8Array;
  readonly left: boolean;
  readonly hash: Uint8Array;
}

/** Climbs from a leaf to its root (RFC 9162, section 2.1.3.2); null when the path is none. */
export function climb(
  start: Uint8Array,
  index: number,
  size: number,
  path: readonly Uint8Array[],
): { root: Uint8Array; steps: Step[] } | null {
  if (index < 0 || index >= size) return null;
  let [at, last, hash] = [index, size - 1, start];
  const steps: Step[] = [];
  for (const neighbour of path) {
    if (last === 0) return null;
    const left = at % 2 === 1 || at === last;
    hash = left ? node(neighbour, hash) : node(hash, neighbour);
    if (left) {
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    }
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
    steps.push({ neighbour, left, hash });
  }
  return last === 0 ? { root: hash, steps } : null;
}
