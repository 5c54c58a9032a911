package million

import (
	"maps"
	"testing"
)

// TestEveryHolderIsDecodedListedPlannedAndPaid: what is measured is the whole work, and
// comes to the same each time.
func TestEveryHolderIsDecodedListedPlannedAndPaid(t *testing.T) {
	const holders = 3000
	folder := t.TempDir()
	facts := map[string]uint64{}
	for _, part := range []string{"answer", "snapshot", "plan", "close"} {
		result, err := work{Part: part, Folder: folder, Holders: holders}.do(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", part, err)
		}
		delete(result.Facts, "bytes")
		maps.Copy(facts, result.Facts)
	}
	files := facts["files"]
	delete(facts, "files")
	delete(facts, "root")
	// The first of them has a balance of 1, whose share rounds to nothing.
	want := map[string]uint64{"eligible": holders, "payments": holders - 1, "paid": holders - 1}
	if !maps.Equal(facts, want) || files < holders/512 {
		t.Errorf("%v in %d files, want %v", facts, files, want)
	}
}

// TestWalletsAreOnTheCurve: each of the addresses, and no two are the same.
func TestWalletsAreOnTheCurve(t *testing.T) {
	seen := map[string]bool{}
	for key := range wallets {
		if !key.IsOnCurve() || seen[key.String()] {
			t.Fatalf("address %d, %s: on the curve %v, seen %v", len(seen), key, key.IsOnCurve(), seen[key.String()])
		}
		if seen[key.String()] = true; len(seen) == 1000 {
			break
		}
	}
}
