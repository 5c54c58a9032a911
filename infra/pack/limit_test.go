package main

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What cannot be compressed is as long in the zip.
func TestZipHasLimit(t *testing.T) {
	for _, test := range []struct {
		function string
		bytes    int
		refused  bool
	}{
		{"small", most - 10_000, false},
		{"small", most, true}, // with what the zip adds
	} {
		folder := t.TempDir()
		binary := filepath.Join(folder, test.function, "bootstrap")
		content := make([]byte, test.bytes)
		_, _ = rand.NewChaCha8([32]byte{}).Read(content) // it never fails
		if err := errors.Join(os.Mkdir(filepath.Dir(binary), 0o750), os.WriteFile(binary, content, 0o600)); err != nil {
			t.Fatal(err)
		}
		err := packAll(folder)
		if refused := err != nil && strings.Contains(err.Error(), "may have"); refused != test.refused || err != nil && !refused {
			t.Errorf("%s of %d bytes: %v", test.function, test.bytes, err)
		}
		if _, err := os.Stat(filepath.Join(folder, test.function+".zip")); errors.Is(err, fs.ErrNotExist) != test.refused {
			t.Errorf("%s of %d bytes, refused %v: %v", test.function, test.bytes, test.refused, err)
		}
	}
}
