package stack_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/stack"
)

// TestEverySettingHasARow tests that each environment variable of a function, and each context
// value of the stack, is in the first cell of a row of the operators' tables. A variable that
// nothing reads has no row.
func TestEverySettingHasARow(t *testing.T) {
	rows := map[string]bool{}
	for _, name := range []string{"docs/configure.md", "docs/develop.md", "docs/operations.md"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if cells := strings.Split(line, "|"); len(cells) > 3 {
				for _, found := range regexp.MustCompile("`([A-Za-z][A-Za-z0-9_]*)`").FindAllStringSubmatch(cells[1], -1) {
					rows[found[1]] = true
				}
			}
		}
	}
	reads := map[string]bool{}
	for _, name := range functionNames {
		maps.Copy(reads, environmentRead(t, filepath.Join(root, "functions", name)))
	}
	for _, variable := range slices.Sorted(maps.Keys(reads)) {
		if !rows[variable] {
			t.Errorf("the variable %s has no row", variable)
		}
	}
	maps.Copy(reads, environmentRead(t, filepath.Join(root, "functions", "guardian"))) // of a stack of its own
	for _, secret := range stack.SecretRows {
		if !rows[secret.Context] {
			t.Errorf("the context value %s has no row", secret.Context)
		}
		reads[secret.Run] = true // by make run
	}
	for name := range rows {
		if _, read := reads[name]; !read && regexp.MustCompile(`^[A-Z]+_[A-Z_0-9]+$`).MatchString(name) {
			t.Errorf("no code reads the variable %s", name)
		}
	}
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`\br\.(?:text|oneOf|address|wallet|number|named|role|secret|arn)\("([A-Za-z0-9]+)"`).FindAllStringSubmatch(string(text), -1) {
			// The Region comes from the AWS configuration, not from an operator.
			if !strings.HasSuffix(source, "_test.go") && found[1] != "region" && !rows[found[1]] {
				t.Errorf("the context value %s has no row", found[1])
			}
		}
	}
}
