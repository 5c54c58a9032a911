package snapshot_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"tokenlaunch.example/service/pkg/proof/snapshot"
)

func taken(t *testing.T) *shelf {
	t.Helper()
	n := &node{}
	for i := range 20 {
		n.accounts = append(n.accounts, snapshot.Account{Address: key(100 + i), Owner: key(i), Amount: uint64(i + 1), Withheld: uint64(i)})
	}
	n.settle(3)
	s := &shelf{}
	if _, err := snapshotter(t, s, n).Take(t.Context(), snapshot.Request{Mint: mint, Key: holdersKey, TaxKey: taxKey, Policy: snapshot.Policy{Minimum: 5}}); err != nil {
		t.Fatal(err)
	}
	return s
}

func readHolders(content []byte) error {
	f, err := snapshot.Read(io.NopCloser(bytes.NewReader(content)))
	if err != nil {
		return err
	}
	for _, err = range f.Rows() {
	}
	return err
}

func readTaxes(t *testing.T, content []byte) error {
	t.Helper()
	f, err := snapshot.OpenTax(t.Context(), &shelf{files: map[string][]byte{taxKey: content}}, taxKey)
	if err != nil {
		return err
	}
	for _, err = range f.Each() {
	}
	return err
}

// TestEveryByteCounts: a file with any byte changed, left out or added is damaged.
func TestEveryByteCounts(t *testing.T) {
	s := taken(t)
	for name, file := range map[string]struct {
		content []byte
		read    func([]byte) error
	}{
		"holders": {s.files[holdersKey], readHolders},
		"tax":     {s.files[taxKey], func(b []byte) error { return readTaxes(t, b) }},
	} {
		if err := file.read(file.content); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range file.content {
			changed := bytes.Clone(file.content)
			changed[i] ^= 0x10
			if err := file.read(changed); !errors.Is(err, snapshot.ErrCorrupt) {
				t.Errorf("%s with byte %d changed: %v", name, i, err)
			}
			if err := file.read(file.content[:i]); !errors.Is(err, snapshot.ErrCorrupt) {
				t.Errorf("%s cut off at %d: %v", name, i, err)
			}
		}
		if err := file.read(append(bytes.Clone(file.content), 0)); !errors.Is(err, snapshot.ErrCorrupt) {
			t.Errorf("%s with a byte behind it: %v", name, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(make([]byte, snapshot.HeaderLength+snapshot.RowLength))
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := readHolders(content); err != nil && !errors.Is(err, snapshot.ErrCorrupt) {
			t.Errorf("%v is not ErrCorrupt", err)
		}
		if err := readTaxes(t, content); err != nil && !errors.Is(err, snapshot.ErrCorrupt) {
			t.Errorf("%v is not ErrCorrupt", err)
		}
	})
}
