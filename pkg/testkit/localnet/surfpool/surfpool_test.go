package surfpool_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/testkit/localnet/project"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/must"
)

func TestProcessHasChainsInTurn(t *testing.T) {
	if testing.Short() {
		t.Skip("starts chains, which short mode leaves out")
	}
	folder, err := project.Find()
	must.Do(t, err)
	wallet := solana.NewWallet().PublicKey().String()
	one, err := surfpool.Start(t.Context(), folder, surfpool.Options{})
	must.Do(t, err)
	must.Do(t, one.Fund(t.Context(), wallet, 1_000_000_000))
	one.Stop()
	if _, err := one.Balance(t.Context(), wallet); err == nil {
		t.Error("the first chain answers after its end")
	}
	next, err := surfpool.Start(t.Context(), folder, surfpool.Options{})
	must.Do(t, err)
	defer next.Stop()
	if next.Process != one.Process {
		t.Error("the next chain has another process")
	}
	lamports, err := next.Balance(t.Context(), wallet)
	must.Do(t, err)
	if lamports != 0 {
		t.Errorf("the next chain begins with %d lamports of the first", lamports)
	}
}
