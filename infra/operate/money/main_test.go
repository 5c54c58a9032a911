package main

import (
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"
)

func TestArguments(t *testing.T) {
	mint, signature := solana.NewWallet().PublicKey(), solana.Signature{7}
	r, err := parse([]string{"why", mint.String()})
	if err != nil || r.resolve || r.mint != mint {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = parse([]string{"resolve", "--reason", "seen in an explorer", "--landed", signature.String(), "--lost", "a/pay/0/1/", "--lost", "b", mint.String()})
	if err != nil || !r.resolve || r.order.Reason == "" || !slices.Equal(r.order.Landed, []solana.Signature{signature}) || !slices.Equal(r.order.Lost, []string{"a/pay/0/1/", "b"}) {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = parse([]string{"resolve", "--all"}); err != nil || !r.all {
		t.Errorf("%+v, %v", r, err)
	}
	for _, bad := range [][]string{{"why", "--all"}, {"resolve", "--all", mint.String()}, {"resolve", "--all", "--reason", "x"}, nil, {"why"}, {"resolve"}, {"fix", mint.String()}, {"why", "mint"}, {"why", "--reason", "x", mint.String()}, {"why", mint.String(), mint.String()}, {"resolve", "--landed", "x", mint.String()}} {
		if r, err := parse(bad); err == nil {
			t.Errorf("%q: %+v", bad, r)
		}
	}
}
