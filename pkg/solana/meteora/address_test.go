package meteora_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/meteora"
)

func TestFixedAddressesAreDerived(t *testing.T) {
	for seed, want := range map[string]solana.PublicKey{
		"pool_authority": meteora.PoolAuthority, "__event_authority": meteora.EventAuthority,
	} {
		got, _, err := solana.FindProgramAddress([][]byte{[]byte(seed)}, meteora.Program)
		if err != nil || got != want {
			t.Errorf("%s is %s (%v), want %s", seed, got, err, want)
		}
	}
}

func TestPairAddressIgnoresOrder(t *testing.T) {
	mint := solana.NewWallet().PublicKey()
	one, err := meteora.PoolAddress(mint, solana.PublicKey{})
	if err != nil {
		t.Fatal(err)
	}
	other, err := meteora.PoolAddress(solana.WrappedSol, mint)
	if err != nil || one != other {
		t.Errorf("%s and %s (%v): a pair of mints has one pool", one, other, err)
	}
}
