package pkg_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSignaturesAreVerifiedAsTheChainDoes tests docs/attacks.md, "Launching": crypto/ed25519
// takes signatures that the chain refuses, so only ed25519strict calls it.
func TestSignaturesAreVerifiedAsTheChainDoes(t *testing.T) {
	const strict = "pkg/platform/auth/ed25519strict"
	for folder, files := range sources(t) {
		for _, file := range files {
			text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(file)))
			if err != nil {
				t.Fatal(err)
			}
			calls := strings.Contains(string(text), "ed25519.Verify(")
			if calls != (folder == strict && strings.HasSuffix(file, "/strict.go")) {
				t.Errorf("%s: calls ed25519.Verify: %v; only ed25519strict may", file, calls)
			}
		}
	}
}
