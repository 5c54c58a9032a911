package pkg_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// testName is a test that a row names, and declared is one that there is.
var (
	testName = regexp.MustCompile("`(Test[A-Za-z0-9_]+)`")
	declared = regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9_]+)\(`)
)

// TestEachAttackHasItsTest: each row of the tables of docs/attacks.md names
// tests that there are. It prints the tables.
func TestEachAttackHasItsTest(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "attacks.md"))
	if err != nil {
		t.Fatal(err)
	}
	section, _, found := strings.Cut(string(text), "\n## Limits\n")
	if !found {
		t.Fatal("docs/attacks.md has no section Limits after the attacks")
	}
	tests, rows := testsOf(t), 0
	for line := range strings.Lines(section) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| attack |") {
			continue
		}
		rows++
		t.Log(line)
		cells := strings.Split(strings.Trim(line, "|"), " | ")
		names := testName.FindAllStringSubmatch(cells[len(cells)-1], -1)
		if len(cells) != 5 || len(names) == 0 {
			t.Errorf("a row has %d cells and %d tests, want five and one at least: %s", len(cells), len(names), line)
		}
		for _, name := range names {
			if !tests[name[1]] {
				t.Errorf("there is no %s", name[1])
			}
		}
	}
	if rows < 10 {
		t.Errorf("only %d rows were found", rows)
	}
}

// testsOf lists the tests of pkg, functions and infra.
func testsOf(t *testing.T) map[string]bool {
	t.Helper()
	tests := map[string]bool{}
	for _, top := range []string{"pkg", "functions", "infra"} {
		err := fs.WalkDir(os.DirFS(".."), top, func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && entry.Name() == "node_modules" {
				return fs.SkipDir
			}
			if !strings.HasSuffix(name, "_test.go") {
				return nil
			}
			text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
			for _, found := range declared.FindAllSubmatch(text, -1) {
				tests[string(found[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return tests
}
