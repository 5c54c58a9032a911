package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
)

// countingNode is a node that knows one transaction, and counts how often it is asked for it.
type countingNode struct {
	chain.Node

	t     chain.Transaction
	asked int
}

func (n *countingNode) Page(context.Context, solana.PublicKey, solana.Signature) ([]chain.Listed, error) {
	return []chain.Listed{{Signature: n.t.Signature, Slot: n.t.Slot}}, nil
}

func (n *countingNode) Landing(_ context.Context, id solana.Signature) (chain.Transaction, error) {
	n.asked++
	if id != n.t.Signature {
		return chain.Transaction{}, chain.ErrNotLanded
	}
	return n.t, nil
}

// Final transactions that a node returned are not requested again, by this verification or the
// next; another node's are.
func TestNodeTransactionsAreCached(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	told := &countingNode{t: chain.Transaction{
		Signature: solana.Signature{7}, Slot: 1 << 60, FeeLamports: 5, Signers: 1,
		Accounts:     []chain.Account{{Address: solana.PublicKey{1}, Before: 1<<64 - 1, After: 3}},
		Tokens:       []chain.TokenAccount{{Address: solana.PublicKey{2}, Mint: solana.PublicKey{3}, OwnerAfter: solana.PublicKey{1}, After: 9}},
		Instructions: []chain.Instruction{{Program: solana.PublicKey{4}, Accounts: []solana.PublicKey{{1}}, Data: []byte{0, 255}, Top: 2, Inner: true}},
	}}
	ask := func(node chain.Node, want int) {
		t.Helper()
		got, err := node.Landing(t.Context(), told.t.Signature)
		if err != nil || !reflect.DeepEqual(got, told.t) || told.asked != want {
			t.Errorf("%d requests, want %d: %+v, %v", told.asked, want, got, err)
		}
	}
	first := remembering(told, "https://one.example/?key=secret")
	ask(first, 1)
	ask(first, 2) // it was in no history yet, so it may not be final
	if _, err := first.Page(t.Context(), solana.PublicKey{1}, solana.Signature{}); err != nil {
		t.Fatal(err)
	}
	ask(first, 3)
	ask(first, 3)
	ask(remembering(told, "https://one.example/?key=secret"), 3)
	other := remembering(told, "https://two.example/")
	ask(other, 4)
	if _, err := first.Landing(t.Context(), solana.Signature{8}); !errors.Is(err, chain.ErrNotLanded) {
		t.Errorf("one that has not landed: %v", err)
	}
	// A file that was damaged is asked for again.
	m, ok := first.(*memory)
	if !ok {
		t.Fatalf("%T caches nothing", first)
	}
	file := filepath.Join(m.folder, told.t.Signature.String()+".json")
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	ask(first, 6)
	ask(first, 6)
}
