package solanarpc_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/onchain"
)

func TestRecentBlockhash(t *testing.T) {
	const hash = "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY"
	answer := func(value string) *node {
		return newNode(t, result(`{"context":{"slot":7},"value":`+value+`}`))
	}
	want := onchain.Blockhash{Hash: solana.MustHashFromBase58(hash), LastValid: 1<<64 - 1, Slot: 7}
	whole := `{"blockhash":"` + hash + `","lastValidBlockHeight":18446744073709551615}`
	if got, err := answer(whole).RecentBlockhash(t.Context()); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	for _, value := range []string{
		`{"blockhash":"` + hash + `"}`, `{"blockhash":"` + hash + `","lastValidBlockHeight":0}`,
		`{"blockhash":"` + hash + `","lastValidBlockHeight":1.5}`, `{"blockhash":"nothing","lastValidBlockHeight":7}`, `7`,
	} {
		if got, err := answer(value).RecentBlockhash(t.Context()); apperr.KindOf(err) != apperr.Unavailable || got != (onchain.Blockhash{}) {
			t.Errorf("RecentBlockhash() of %s = %+v, %v; want an error of kind Unavailable", value, got, err)
		}
	}
}

func TestTips(t *testing.T) {
	n := newNode(t, result(`{"blockHeight":18446744073709551615,"absoluteSlot":9}`))
	if tip, err := n.Finality(t.Context()); err != nil || tip != (onchain.Tip{Slot: 9, Height: 1<<64 - 1}) {
		t.Errorf("Finality() = %+v, %v; want slot 9 at height 2^64-1", tip, err)
	}
	if height, err := n.Height(t.Context()); err != nil || height != 1<<64-1 {
		t.Errorf("height %d, %v", height, err)
	}
	for _, answer := range []string{`{"blockHeight":7}`, `{"absoluteSlot":9}`, `{}`, `{"blockHeight":-1,"absoluteSlot":9}`} {
		n := newNode(t, result(answer))
		if tip, err := n.Finality(t.Context()); apperr.KindOf(err) != apperr.Unavailable || tip != (onchain.Tip{}) {
			t.Errorf("Finality() of %s = %+v, %v; want an error of kind Unavailable", answer, tip, err)
		}
		if height, err := n.Height(t.Context()); apperr.KindOf(err) != apperr.Unavailable || height != 0 {
			t.Errorf("Height() of %s = %d, %v; want an error of kind Unavailable", answer, height, err)
		}
	}
}

// A blockhash of the chain is taken for some blocks yet, and the chain's height is where
// they are counted.
func TestBlockhashOfChain(t *testing.T) {
	l := newLedger(t)
	before, err := l.Height(within(t))
	if err != nil {
		t.Fatal(err)
	}
	recent, err := l.RecentBlockhash(within(t))
	if err != nil || recent.Hash.IsZero() || recent.LastValid <= before {
		t.Errorf("at block %d: %+v, %v", before, recent, err)
	}
	final, err := l.Finality(within(t))
	if err != nil || final.Slot < final.Height || final.Height == 0 {
		t.Errorf("Finality() = %+v, %v; want a height up to the slot", final, err)
	}
	after, err := l.Height(within(t))
	if err != nil || after < final.Height || recent.LastValid > after+150 {
		t.Errorf("at block %d: %+v, finalized %+v, %v", after, recent, final, err)
	}
}
