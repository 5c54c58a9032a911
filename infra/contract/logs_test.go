package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLogsAreRead(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"good":     {strings.Repeat("x", maxLine) + "\nline\n", ""},
		"long":     {"line\n" + strings.Repeat("x", maxLine+1), "a line of 8193 bytes"},
		"a secret": {"line\nkey=planted\n", "a line with a secret"},
		"no log":   {"", "there is no log"},
	} {
		folder := t.TempDir()
		if test.text != "" {
			if err := os.WriteFile(filepath.Join(folder, "tokens.log"), []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		err := readLogs(folder, "planted", "other")
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}
