package solanarpc_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

func TestRecent(t *testing.T) {
	const hash = "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY"
	answer := func(value string) *node {
		return newNode(t, result(`{"context":{"slot":7},"value":`+value+`}`))
	}
	want := transaction.Recent{Blockhash: solana.MustHashFromBase58(hash), LastValid: 1<<64 - 1}
	whole := `{"blockhash":"` + hash + `","lastValidBlockHeight":18446744073709551615}`
	if got, err := answer(whole).Recent(t.Context()); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if got, err := answer(whole).LatestBlockhash(t.Context()); err != nil || got != want.Blockhash {
		t.Errorf("got %s, %v, want %s", got, err, want.Blockhash)
	}
	for _, value := range []string{
		`{"blockhash":"` + hash + `"}`, `{"blockhash":"` + hash + `","lastValidBlockHeight":0}`,
		`{"blockhash":"` + hash + `","lastValidBlockHeight":1.5}`, `{"blockhash":"nothing","lastValidBlockHeight":7}`, `7`,
	} {
		if got, err := answer(value).Recent(t.Context()); apperr.KindOf(err) != apperr.Unavailable || got != (transaction.Recent{}) {
			t.Errorf("%s: %+v, %v", value, got, err)
		}
	}
}
