// Package merkle commits to a list of lines with one hash, and shows that a line
// is in the list with a handful of them.
//
// The tree is that of Certificate Transparency (RFC 6962, section 2.1; RFC 9162):
// SHA-256, a leaf is hashed with the prefix 0 and a node with the prefix 1, so
// that neither passes for the other, and a node without a neighbour is promoted
// as it is, so that no two lists of different lengths share a root.
//
// It promises that a list of n leaves takes O(log n) memory, however it is read.
package merkle

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/bits"
)

// Prefixes of what is hashed (RFC 6962, section 2.1).
const (
	leafPrefix = 0
	nodePrefix = 1
)

// Hash is one SHA-256 of the tree.
type Hash [sha256.Size]byte

// String returns the hash in lower-case hex.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ParseHash parses the result of String, and no other spelling.
func ParseHash(text string) (Hash, error) {
	var h Hash
	if len(text) != hex.EncodedLen(len(h)) {
		return Hash{}, fmt.Errorf("a hash of %d characters, want %d", len(text), hex.EncodedLen(len(h)))
	}
	if _, err := hex.Decode(h[:], []byte(text)); err != nil || h.String() != text {
		return Hash{}, fmt.Errorf("%q is not lower-case hex", text)
	}
	return h, nil
}

// Leaf is the hash of a line.
func Leaf(line []byte) Hash {
	var room [512]byte // for most lines
	return sha256.Sum256(append(append(room[:0], leafPrefix), line...))
}

func node(left, right Hash) Hash {
	var b [1 + 2*sha256.Size]byte
	b[0] = nodePrefix
	copy(b[1:], left[:])
	copy(b[1+sha256.Size:], right[:])
	return sha256.Sum256(b[:])
}

// Tree takes leaves one after the other. The zero Tree is empty.
type Tree struct {
	// stack has the roots of the complete subtrees that make up the list, the
	// largest first: one for each bit that is set in size.
	stack []Hash
	size  uint64
}

// Add appends a leaf, or a subtree of a fixed, full size that is a power of two;
// the last one added may be smaller.
func (t *Tree) Add(leaf Hash) {
	t.stack = append(t.stack, leaf)
	for n := t.size; n&1 == 1; n >>= 1 {
		last := len(t.stack) - 1
		t.stack[last-1] = node(t.stack[last-1], t.stack[last])
		t.stack = t.stack[:last]
	}
	t.size++
}

// Size is the number of leaves added.
func (t *Tree) Size() uint64 { return t.size }

// Root is the hash of all leaves so far. That of none is the SHA-256 of nothing.
func (t *Tree) Root() Hash {
	if t.size == 0 {
		return sha256.Sum256(nil)
	}
	last := len(t.stack) - 1
	root := t.stack[last]
	for i := last - 1; i >= 0; i-- {
		root = node(t.stack[i], root)
	}
	return root
}

// Root is the hash of the leaves.
func Root(leaves []Hash) Hash {
	var t Tree
	for _, leaf := range leaves {
		t.Add(leaf)
	}
	return t.Root()
}

// Path shows that the leaf at index is among the leaves: the neighbours on the
// way to the root, the nearest first. It panics when there is no such leaf.
func Path(leaves []Hash, index int) []Hash {
	_ = leaves[index]
	if len(leaves) == 1 {
		return nil
	}
	half := 1 << (bits.Len(uint(len(leaves)-1)) - 1) // the largest power of two below the length
	if index < half {
		return append(Path(leaves[:half], index), Root(leaves[half:]))
	}
	return append(Path(leaves[half:], index-half), Root(leaves[:half]))
}

// Verify reports whether leaf is the one at index among size leaves with this root,
// as path shows (RFC 9162, section 2.1.3.2).
func Verify(root, leaf Hash, index, size uint64, path []Hash) bool {
	if index >= size {
		return false
	}
	at, last := index, size-1
	got := leaf
	for _, neighbour := range path {
		if last == 0 {
			return false
		}
		if at&1 == 1 || at == last {
			got = node(neighbour, got)
			for at&1 == 0 && at != 0 {
				at >>= 1
				last >>= 1
			}
		} else {
			got = node(got, neighbour)
		}
		at >>= 1
		last >>= 1
	}
	return last == 0 && got == root
}
