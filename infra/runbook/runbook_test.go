package runbook_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/runbook"
)

func TestBlocks(t *testing.T) {
	const text = "# A\n```sh\none\n```\n## B c\n\n1. words\n   <!-- not run: no quotas here -->\n   ```sh\n   two\n     three\n   ```\n```text\nnot shell\n```\n<!-- run: nightly -->\n```sh\nfour\n```\n"
	blocks, err := runbook.Blocks("x.md", text)
	if err != nil {
		t.Fatal(err)
	}
	want := []runbook.Block{
		{Document: "x.md", Line: 3, Heading: "A", Commands: "one\n"},
		{Document: "x.md", Line: 10, Heading: "B c", Commands: "two\n  three\n", Excuse: "no quotas here"},
		{Document: "x.md", Line: 18, Heading: "B c", Commands: "four\n", Nightly: true},
	}
	if len(blocks) != len(want) {
		t.Fatalf("blocks = %+v, want %d", blocks, len(want))
	}
	for i, b := range blocks {
		if b != want[i] {
			t.Errorf("block %d is %+v, want %+v", i, b, want[i])
		}
	}
}

// Whatever might hide a command from the reader of blocks is an error that names the line.
func TestUnrunnableBlocks(t *testing.T) {
	for text, want := range map[string]string{
		"```\naws s3 ls\n```\n":                      "x.md:1: the block has no language",
		"<!-- not run: why -->\n\n```sh\none\n```\n": "x.md:1: the comment must stand right before a block",
		"a\n<!-- run: weekly -->\n```sh\none\n```\n": "x.md:2: \"weekly\" says when a block runs",
		"<!-- not run: why -->\n```json\n{}\n```\n":  "x.md:1: the comment is about a block of json",
		"```sh\none\n": "the last block does not end",
		"```sh\none\n```\n<!-- not run: of what? -->":       "the last block does not end",
		"```sh\none\n```\n<!-- not run: a -->\n# B\n":       "x.md:4: the comment must stand",
		"<!-- run: nightly -->\n<!-- not run: a -->\n```sh": "x.md:1: the comment must stand",
	} {
		if blocks, err := runbook.Blocks("x.md", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %s", text, blocks, err, want)
		}
	}
}

func shell(t *testing.T, env ...string) *runbook.Shell {
	t.Helper()
	s, err := runbook.NewShell(context.WithoutCancel(t.Context()), t.TempDir(), append(os.Environ(), env...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func TestBlockSeesEarlierVariables(t *testing.T) {
	s := shell(t, "GIVEN=given")
	for _, step := range []struct{ do, want string }{
		{"export A=1\nsay() { echo \"$A $1\"; }\n", ""},
		{"say \"$GIVEN\" && echo to stderr >&2\n", "1 given\nto stderr\n"},
		{"cat\n", ""}, // nothing is on its standard input
		{"echo 'it is not \"over\"'\nprintf x", "it is not \"over\"\nx"},
	} {
		if out, err := s.Do(step.do); out != step.want || err != nil {
			t.Errorf("%q prints %q (%v), want %q", step.do, out, err, step.want)
		}
	}
}

func TestFirstFailureEndsShell(t *testing.T) {
	for _, failing := range []string{"echo before\nfalse\necho after\n", "echo before\nfalse | cat\n", "echo before\n: \"${UNSET:?say it}\"\n"} {
		s := shell(t)
		out, err := s.Do(failing)
		if err == nil || !strings.HasPrefix(out, "before\n") || strings.Contains(out, "after") {
			t.Errorf("%q prints %q (%v)", failing, out, err)
		}
		if _, err := s.Do("echo more\n"); err == nil {
			t.Errorf("after %q the shell continues", failing)
		}
	}
}
