package pkg_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestOneWayToTransactionsForOthers: what a caller signs is made by
// transaction.Preparer, so that all of it is explained, simulated and priced in one
// way. The others compile transactions of the service's own keys, or measure them, and the
// client compiles what it compares an answer with, and its command hand-overs without the service.
func TestOneWayToTransactionsForOthers(t *testing.T) {
	want := []string{"pkg/client", "pkg/client/tokenlaunch", "pkg/distribution/exchange", "pkg/distribution/payout", "pkg/launch/nonce", "pkg/solana/transaction"}
	found := map[string]bool{}
	for folder, files := range sources(t) {
		if strings.HasPrefix(folder, "pkg/testkit") {
			continue
		}
		for _, file := range files {
			text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(file)))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), "wire.Compile(") {
				found[folder] = true
			}
		}
	}
	if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, want) {
		t.Errorf("%v compile transactions, want %v alone: make those for callers with transaction.Preparer", got, want)
	}
}
