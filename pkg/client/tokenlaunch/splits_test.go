package main

import (
	"errors"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
)

// Splits as they are written on the command line.
func TestSplitsAreRead(t *testing.T) {
	t.Parallel()
	a, b := solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
	got, err := readSplits([]string{a.String() + "=70.01", b.String() + "=29.99"})
	if err != nil || len(got) != 2 || got[0] != (client.CreatorSplit{Wallet: a, Percent: client.MustPercent("70.01")}) || got[1] != (client.CreatorSplit{Wallet: b, Percent: client.MustPercent("29.99")}) {
		t.Errorf("readSplits() = %+v, %v; want two splits", got, err)
	}
	if got, err := readSplits(nil); got != nil || err != nil {
		t.Errorf("an empty list is %+v, %v", got, err)
	}
	if got, err := readSplits([]string{"none"}); got == nil || len(got) > 0 || err != nil {
		t.Errorf("an empty list is %+v, %v", got, err)
	}
	for _, bad := range []string{a.String(), "x=50", a.String() + "=", a.String() + "=1.001", "none=50"} {
		if _, err := readSplits([]string{bad, b.String() + "=50"}); !errors.As(err, new(usageError)) {
			t.Errorf("readSplits(%q) = %v, want a usageError", bad, err)
		}
	}
}
