package checks_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEachWordToAvoidIsFound: the check of make lint names file, line and what is better.
func TestEachWordToAvoidIsFound(t *testing.T) {
	list, err := os.ReadFile(filepath.Join("..", "lint", "words.txt"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	git := func(words ...string) {
		if out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", folder}, words...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", words, err, out)
		}
	}
	git("init", "-q")
	check := func(text string) (string, error) {
		if err := os.WriteFile(filepath.Join(folder, "text.md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		git("add", "text.md")
		out, err := exec.CommandContext(t.Context(), "sh", filepath.Join("..", "lint", "words.sh"), folder).CombinedOutput()
		return string(out), err
	}
	if out, err := check("An owner may ask for every NoBody, this once. They stand.\n"); err != nil {
		t.Errorf("good words fail: %v: %s", err, out)
	}
	patterns := strings.NewReplacer(`[A-Za-z]+`, "Name", `[*]`, "*", `\.`, ".")
	var texts, wants []string
	for line := range strings.Lines(string(list)) {
		column := strings.Split(strings.TrimSpace(line), "|")
		if len(column) != 3 {
			t.Fatalf("%q has no three columns", line)
		}
		word := patterns.Replace(column[1])
		if first, rest, ok := strings.Cut(strings.TrimPrefix(word, "["), "]"); ok {
			word = first[1:] + rest
		}
		text := "a " + word + " b"
		if column[0] == "part" {
			text = "x" + word + "y"
		}
		texts = append(texts, text)
		wants = append(wants, fmt.Sprintf("text.md:%d:%s  <- better: %s\n", len(texts), text, column[2]))
	}
	out, err := check(strings.Join(texts, "\n") + "\n")
	if err == nil {
		t.Error("words to avoid pass")
	}
	for _, want := range wants {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not reported: %s", want, out)
		}
	}
}
