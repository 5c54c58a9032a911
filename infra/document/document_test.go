package document_test

import (
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/document"
)

func TestPlace(t *testing.T) {
	const text = "a\n<!-- bench:x -->\nold\n<!-- /bench:x -->\nb\n"
	got, err := document.Place(text, []document.Table{{Name: "bench:x", Text: "new"}})
	if err != nil || got != strings.Replace(text, "old", "new", 1) {
		t.Errorf("%q, %v", got, err)
	}
	if again, err := document.Place(got, []document.Table{{Name: "bench:x", Text: "new"}}); err != nil || again != got {
		t.Errorf("a second time: %q, %v", again, err)
	}
	if _, err := document.Place(text, []document.Table{{Name: "bench:y", Text: "new"}}); err == nil {
		t.Error("a table without a place is dropped")
	}
}

func TestBlocks(t *testing.T) {
	const text = "# A\n```sh\nbefore\n```\n## B\nwords\n```sh\n# one\ntwo\n```\n```js\nother\n```\n### C\n```sh\nthree\n```\n## D\n```sh\nafter\n```\n"
	if got := document.Blocks(text, "## B", "sh"); !slices.Equal(got, []string{"# one\ntwo\n", "three\n"}) {
		t.Errorf("%q", got)
	}
	if got := document.Blocks(text, "## E", "sh"); got != nil {
		t.Errorf("%q", got)
	}
}
