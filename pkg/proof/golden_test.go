package proof_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
)

var update = flag.Bool("update", false, "write the files in testdata again")

// The bundles of two runs are kept: the first pays in a token, the second in SOL and has
// arrears. The page's verifier is tested with them, and the author of a third one can
// begin with them. A proof that is published once stays good: these files never change.
func TestCommittedBundlesAreWritten(t *testing.T) {
	const folder = "testdata/bundle"
	s, first, second := twoRuns(t, 24)
	if *update {
		check(t, os.MkdirAll(folder, 0o750))
		for name, content := range s.files {
			check(t, os.WriteFile(filepath.Join(folder, name), content, 0o600))
		}
	}
	kept := format.Folder{Files: os.DirFS(folder)}
	names, err := os.ReadDir(folder)
	check(t, err)
	if len(names) != len(s.files) {
		t.Errorf("%d files are kept, and %d are written", len(names), len(s.files))
	}
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || !bytes.Equal(content, s.files[name]) {
			t.Errorf("%s is not what is written (%v)", name, err)
		}
	}
	for _, r := range []run{first, second} {
		report, err := verify.Bundle(t.Context(), kept, r.anchor, verify.Options{})
		check(t, err)
		for _, c := range report.Checks {
			if c.Verdict == verify.Failed {
				t.Errorf("%s: %s", c.Name, c.Detail)
			}
		}
	}
}

// The chain of the kept bundles is stored next to them, as a node returns it.
func TestCommittedChainIsWritten(t *testing.T) {
	const file = "testdata/chain.json"
	_, _, second := twoRuns(t, 24)
	told, err := json.MarshalIndent(onChain(t, second).told(), "", "\t")
	check(t, err)
	told = append(told, '\n')
	if *update {
		check(t, os.WriteFile(file, told, 0o600))
	}
	if kept, err := os.ReadFile(file); err != nil || !bytes.Equal(kept, told) {
		t.Errorf("%s is not what happened (%v)", file, err)
	}
}

// Authors of verifiers begin with the example in the specification: each file and the memo are
// those of the kept bundle, to the byte.
func TestSpecificationExample(t *testing.T) {
	document, err := os.ReadFile("../../docs/proof.md")
	check(t, err)
	kept := map[string]int{}
	for _, block := range regexp.MustCompile("`(b[a-z2-7]+)(\\.[a-z]+)`:\n\n```[a-z]+\n((?s:.*?))```\n").FindAllStringSubmatch(string(document), -1) {
		cid, extension, got := block[1], block[2], block[3]
		content, err := os.ReadFile(filepath.Join("testdata/bundle", cid+extension))
		check(t, err)
		want := string(content)
		if extension == ".tx" {
			want = must(verify.ReadAnchor(content)).String() + "\n"
		}
		if got != want {
			t.Errorf("docs/proof.md has %s%s as\n%s\nwant\n%s", cid, extension, got, want)
		}
		kept[extension]++
	}
	if want := map[string]int{".tx": 1, ".json": 2, ".csv": 3}; !maps.Equal(kept, want) {
		t.Errorf("docs/proof.md has the files %v, want %v: a memo, a manifest and a page, and a file of each list", kept, want)
	}
}
