package proof_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/proof"
)

// The second verifier accepts the programs of this one: make generate writes its list.
func TestTheTrustListIsTheOneOfTypeScript(t *testing.T) {
	const path = "../client/typescript/src/proof/trust.ts"
	var list strings.Builder
	for _, trusted := range proof.TrustList() {
		fmt.Fprintf(&list, "  '%s', // %s\n", trusted.Program, trusted.Name)
	}
	want := "// Written by `make generate` from proof.TrustList.\n\n" +
		"/** The programs that may receive the wallet's signature to sell tokens. */\n" +
		"export const TRUSTED_PROGRAMS: readonly string[] = [\n" + list.String() + "];\n"
	if *update {
		check(t, os.WriteFile(path, []byte(want), 0o600))
	}
	if have, err := os.ReadFile(path); err != nil || string(have) != want {
		t.Errorf("%s is not the trust list (%v): run with -update", path, err)
	}
}

// Authors of verifiers take the list from the document: it has a row for each program and no
// other row.
func TestTheTrustListIsInTheDocument(t *testing.T) {
	document, err := os.ReadFile("../../docs/proof.md")
	check(t, err)
	_, table, _ := strings.Cut(string(document), "| exchange | program |\n  |---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var want []string
	for _, trusted := range proof.TrustList() {
		want = append(want, fmt.Sprintf("  | %s | `%s` |", trusted.Name, trusted.Program))
	}
	if table != strings.Join(want, "\n") {
		t.Errorf("docs/proof.md has the list\n%s\nwant\n%s", table, strings.Join(want, "\n"))
	}
}
