package merkle_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/proof/merkle"
)

// The inputs and roots that implementations of RFC 6962 test with (the roots of
// the first n of eight inputs; certificate-transparency, merkle_tree_test).
var (
	inputs = []string{"", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"}
	roots  = []string{
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
		"fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
		"aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
		"d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
		"4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
		"76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
		"ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
		"5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
	}
)

func knownLeaves(t *testing.T) []merkle.Hash {
	t.Helper()
	var leaves []merkle.Hash
	for _, input := range inputs {
		line, err := hex.DecodeString(input)
		if err != nil {
			t.Fatal(err)
		}
		leaves = append(leaves, merkle.Leaf(line))
	}
	return leaves
}

func TestKnownRoots(t *testing.T) {
	leaves := knownLeaves(t)
	for n, want := range roots {
		if got := merkle.Root(leaves[:n]).String(); got != want {
			t.Errorf("%d leaves: %s, want %s", n, got, want)
		}
	}
}

// Paths of the same known tree: index from 0, number of leaves.
func TestKnownPaths(t *testing.T) {
	leaves := knownLeaves(t)
	for _, c := range []struct {
		index, size int
		path        []string
	}{
		{0, 1, nil},
		{0, 8, []string{
			"96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
			"5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
			"6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
		}},
		{5, 8, []string{
			"bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
			"ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
			"d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
		}},
		{2, 3, []string{"fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"}},
	} {
		var got []string
		path := merkle.Path(leaves[:c.size], c.index)
		for _, h := range path {
			got = append(got, h.String())
		}
		if !slices.Equal(got, c.path) {
			t.Errorf("path of %d in %d: %v, want %v", c.index, c.size, got, c.path)
		}
	}
}

func hashOf(n int) merkle.Hash { return merkle.Leaf(fmt.Appendf(nil, "line %d", n)) }

func list(n int) []merkle.Hash {
	leaves := make([]merkle.Hash, n)
	for i := range leaves {
		leaves[i] = hashOf(i)
	}
	return leaves
}

// The definition of RFC 6962, section 2.1, word by word.
func definition(leaves []merkle.Hash) merkle.Hash {
	if len(leaves) == 0 {
		return sha256.Sum256(nil)
	}
	if len(leaves) == 1 {
		return leaves[0]
	}
	k := 1
	for k*2 < len(leaves) {
		k *= 2
	}
	left, right := definition(leaves[:k]), definition(leaves[k:])
	return sha256.Sum256(slices.Concat([]byte{1}, left[:], right[:]))
}

func TestStreamedRootMatchesDefinition(t *testing.T) {
	var tree merkle.Tree
	for n := range 300 {
		if got, want := tree.Root(), definition(list(n)); got != want || tree.Size() != uint64(n) {
			t.Fatalf("%d leaves: %s, want %s", n, got, want)
		}
		tree.Add(hashOf(n))
	}
}

// Files have as many lines as a power of two, so that the tree of their roots is
// the tree of their lines.
func TestTreeOfSubtreesIsTreeOfLeaves(t *testing.T) {
	for n := range 200 {
		leaves := list(n)
		var tree merkle.Tree
		for part := range slices.Chunk(leaves, 8) {
			tree.Add(merkle.Root(part))
		}
		if got, want := tree.Root(), merkle.Root(leaves); got != want {
			t.Fatalf("%d leaves: %s, want %s", n, got, want)
		}
	}
}

func TestEveryLeafIsShownAndNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 130).Draw(t, "size")
		index := rapid.IntRange(0, size-1).Draw(t, "index")
		leaves := list(size)
		root, path := merkle.Root(leaves), merkle.Path(leaves, index)
		shown := func(root, leaf merkle.Hash, index, size int, path []merkle.Hash) bool {
			return merkle.Verify(root, leaf, uint64(index), uint64(size), path)
		}
		if !shown(root, leaves[index], index, size, path) {
			t.Fatal("its own path does not show the leaf")
		}
		if other := rapid.IntRange(0, size).Draw(t, "other"); other != index && shown(root, leaves[index], other, size, path) {
			t.Fatalf("the path shows the leaf at %d too", other)
		}
		if shown(root, hashOf(size), index, size, path) {
			t.Fatal("the path shows another leaf")
		}
		if shown(root, leaves[index], index, size, append(slices.Clone(path), root)) || len(path) > 0 && shown(root, leaves[index], index, size, path[1:]) {
			t.Fatal("a path of another length shows the leaf")
		}
		if len(path) > 0 {
			bent := slices.Clone(path)
			bent[rapid.IntRange(0, len(path)-1).Draw(t, "step")][rapid.IntRange(0, 31).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
			if shown(root, leaves[index], index, size, bent) {
				t.Fatal("a changed path shows the leaf")
			}
		}
		changed := slices.Clone(leaves)
		changed[index][0] ^= 1
		if merkle.Root(changed) == root || merkle.Root(leaves[:size-1]) == root || merkle.Root(append(leaves, root)) == root {
			t.Fatal("another list has the same root")
		}
	})
}

func TestLeafIsNoNode(t *testing.T) {
	leaves := list(2)
	if merkle.Leaf(slices.Concat(leaves[0][:], leaves[1][:])) == merkle.Root(leaves) {
		t.Error("a line that is two hashes has the hash of their node")
	}
}

func TestHashesHaveOneSpelling(t *testing.T) {
	h := hashOf(1)
	if got, err := merkle.ParseHash(h.String()); err != nil || got != h {
		t.Errorf("%s, %v", got, err)
	}
	for _, bad := range []string{"", h.String()[1:], h.String() + "0", "G" + h.String()[1:], "A" + h.String()[1:]} {
		if _, err := merkle.ParseHash(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// No path of a stranger shows a leaf that is not in the tree.
func FuzzVerify(f *testing.F) {
	leaves := list(13)
	root := merkle.Root(leaves)
	for i := range leaves {
		var path []byte
		for _, h := range merkle.Path(leaves, i) {
			path = append(path, h[:]...)
		}
		f.Add(uint64(i), uint64(len(leaves)), path, leaves[i][:])
	}
	f.Fuzz(func(t *testing.T, index, size uint64, path, leaf []byte) {
		if len(leaf) != sha256.Size || len(path)%sha256.Size != 0 {
			t.Skip()
		}
		var steps []merkle.Hash
		for step := range slices.Chunk(path, sha256.Size) {
			steps = append(steps, merkle.Hash(step))
		}
		if !merkle.Verify(root, merkle.Hash(leaf), index, size, steps) || size != uint64(len(leaves)) {
			return // A path may fit a tree of another size: the size is part of what is committed to.
		}
		if index >= size || leaves[index] != merkle.Hash(leaf) || !slices.Equal(steps, merkle.Path(leaves, int(index))) {
			t.Errorf("leaf %x at %d is shown by %x", leaf, index, path)
		}
	})
}
