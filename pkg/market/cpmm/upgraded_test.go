package cpmm_test

import (
	"context"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market/cpmm"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/raydium"
)

// stored is a chain with one account.
type stored onchain.Account

// Account returns it, whatever the address.
func (s stored) Account(context.Context, solana.PublicKey) (onchain.Account, bool, error) {
	return onchain.Account(s), true, nil
}

// A configuration that an upgrade of Raydium's program made unreadable is 503 to callers, and not
// an internal error.
func TestUpgradedConfigIsUnavailable(t *testing.T) {
	for _, data := range [][]byte{nil, make([]byte, raydium.ConfigSize), make([]byte, 2*raydium.ConfigSize)} {
		_, err := cpmm.ReadConfig(t.Context(), stored{Owner: raydium.Mainnet.Program, Data: data}, raydium.Mainnet)
		if apperr.KindOf(err) != apperr.Unavailable {
			t.Errorf("%d bytes: %v", len(data), err)
		}
	}
}
