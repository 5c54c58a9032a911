package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// Programs read the errors of the parser, too, and people try --version first.
func TestParserErrorsAndVersion(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"webhooks", "add", "--json"}, nil, &out, &errs); code != wrong {
		t.Errorf("run(webhooks add --json) = %d, want %d", code, wrong)
	}
	var answer struct{ Error struct{ Message string } }
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil || !strings.Contains(answer.Error.Message, "<url>") {
		t.Errorf("standard output is %q, want an error that names <url>: %v", &out, err)
	}
	out.Reset()
	if code := run(t.Context(), []string{"--version"}, nil, &out, &errs); code != good || !strings.HasPrefix(out.String(), "tokenlaunch ") {
		t.Errorf("run(--version) = %d, %q", code, &out)
	}
}
