package run_test

import (
	"context"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/testkit/runworld"
)

// standing is a chain that stays at the slot of the books while it is asked whether that has
// passed, for the first looks.
type standing struct {
	run.Chain
	wallet solana.PublicKey
	looks  int
}

func (s *standing) AccountsAt(ctx context.Context, from uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error) {
	accounts, slot, err := s.Chain.AccountsAt(ctx, from, addresses...)
	if len(addresses) != 1 || addresses[0] != s.wallet || from == 0 || err != nil {
		return accounts, slot, err
	}
	s.looks++
	if s.looks <= 3 {
		return accounts, from, nil
	}
	return accounts, from + 1, nil
}

// An anchor that lands in the slot of the books looks to a verifier as if it were older than
// they are, so the run waits for that slot to pass.
func TestAnchorWaitsUntilSlotOfBooksHasPassed(t *testing.T) {
	t.Parallel()
	w := runworld.NewEnv(t).Fixture(t)
	holder(t, w, 1_000*tokens)
	slot := w.Slot()
	chain := &standing{wallet: w.Token.Wallet.Address}
	w.Prepare = func(worker *runworld.Worker) {
		chain.Chain = worker.Machine.Chain
		worker.Machine.Chain = chain
	}
	w.Drive(t, nil)
	if r := w.Look(t, slot); r.Status() != run.Settled {
		t.Fatalf("%+v", r.End)
	}
	same(t, "looks", uint64(chain.looks), 4)
}
