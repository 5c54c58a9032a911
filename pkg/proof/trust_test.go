package proof_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/proof"
)

// The second verifier accepts the programs of this one: make generate writes its list.
func TestTrustListMatchesTypeScript(t *testing.T) {
	const path = "../client/typescript/src/proof/trust.ts"
	var list strings.Builder
	for _, trusted := range proof.TrustList() {
		fmt.Fprintf(&list, "  '%s', // %s\n", trusted.Program, trusted.Name)
	}
	want := "// Written by `make generate` from proof.TrustList.\n\n" +
		fmt.Sprintf("/** The number of the list: a manifest with a higher one is of a newer verifier's. */\nexport const TRUST_LIST_VERSION = %dn;\n\n", proof.TrustListVersion) +
		"/** The programs that may receive the wallet's signature to sell tokens. */\n" +
		"export const TRUSTED_PROGRAMS: readonly string[] = [\n" + list.String() + "];\n"
	if *update {
		check(t, os.WriteFile(path, []byte(want), 0o600))
	}
	if have, err := os.ReadFile(path); err != nil || string(have) != want {
		t.Errorf("%s is not the trust list (%v): run with -update", path, err)
	}
}

// Each new program has the next number, so that a verifier's number names one list.
func TestTrustListNumbersFollow(t *testing.T) {
	last := uint16(1)
	for _, trusted := range proof.TrustList() {
		if trusted.Since != last && trusted.Since != last+1 {
			t.Errorf("%s is in the list since %d, after %d", trusted.Name, trusted.Since, last)
		}
		last = trusted.Since
	}
	if last != proof.TrustListVersion {
		t.Errorf("the list is %d, and its last program since %d", proof.TrustListVersion, last)
	}
}

// Authors of verifiers take the list from the document: it has a row for each program and no
// other row.
func TestTrustListIsInDocument(t *testing.T) {
	document, err := os.ReadFile("../../docs/proof.md")
	check(t, err)
	_, table, _ := strings.Cut(string(document), "| exchange | program | since list |\n|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var want []string
	for _, trusted := range proof.TrustList() {
		want = append(want, fmt.Sprintf("| %s | `%s` | %d |", trusted.Name, trusted.Program, trusted.Since))
	}
	if table != strings.Join(want, "\n") {
		t.Errorf("docs/proof.md has the list\n%s\nwant\n%s", table, strings.Join(want, "\n"))
	}
}
