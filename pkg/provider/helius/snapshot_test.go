package helius_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/token/content"
)

// reading is a chain with a mint of 100 base units, at one slot before a listing and
// at another after it.
type reading struct {
	before, after uint64
	readings      int
}

func (r *reading) FinalizedAccount(context.Context, solana.PublicKey) (account onchain.Account, slot uint64, found bool, err error) {
	data := make([]byte, 82)
	binary.LittleEndian.PutUint64(data[36:], 100)
	data[45] = 1
	slot = r.before
	if r.readings++; r.readings%2 == 0 {
		slot = r.after
	}
	return onchain.Account{Owner: solana.Token2022ProgramID, Data: data}, slot, true, nil
}

func (*reading) Programs(_ context.Context, addresses []solana.PublicKey, _ uint64) ([]solana.PublicKey, error) {
	return make([]solana.PublicKey, len(addresses)), nil
}

// shelf is a store of one file.
type shelf struct{ body []byte }

func (s *shelf) PutFile(_ context.Context, _, _ string, body io.ReadSeeker, _ int64) (err error) {
	s.body, err = io.ReadAll(body)
	return err
}

func (s *shelf) Open(context.Context, string) (io.ReadCloser, error) { return nil, content.ErrNoObject }

func (s *shelf) GetRange(_ context.Context, _ string, from, length int64) ([]byte, error) {
	if s.body == nil {
		return nil, content.ErrNoObject
	}
	return bytes.Clone(s.body[from : from+length]), nil
}

// TestIsBelievedWhenItAddsUp tests that a listing is accepted if it adds up to the whole supply,
// and rejected if withheld tax or an account is missing.
func TestIsBelievedWhenItAddsUp(t *testing.T) {
	for name, c := range map[string]struct {
		second string
		err    error
	}{
		"all of it":                {entry(2, 0, withheld(7)), nil},
		"without the withheld tax": {entry(2, 0, ""), snapshot.ErrDoesNotAddUp},
		"moved in between":         {entry(2, 7, withheld(7)), snapshot.ErrDoesNotAddUp},
	} {
		client := newCounterpart(t, pages(map[string]string{
			"": pageOf(100, "a", entry(1, 93, "")), "a": pageOf(103, "", c.second),
		}))
		s := &shelf{}
		snapshotter := snapshot.Snapshotter{
			Sources: []snapshot.Source{client}, Chain: &reading{before: 99, after: 103}, Store: s, Folder: t.TempDir(),
			Pause: func(context.Context, time.Duration) error { return nil },
		}
		taken, err := snapshotter.Take(t.Context(), snapshot.Request{Mint: mint, Key: "key"})
		if !errors.Is(err, c.err) || (err == nil) != (s.body != nil) || err == nil && taken.Span != (snapshot.Span{First: 100, Last: 103}) {
			t.Errorf("Take(), %s: span %+v, %v; want %v", name, taken.Span, err, c.err)
		}
	}
}
