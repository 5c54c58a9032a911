package run_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// tokens is one whole token, in base units; at the maker's first price it is worth
// a thousandth of a SOL.
const tokens = 1_000_000

// rentExempt is a wallet's minimum balance on the local chain, in lamports.
const rentExempt = 890_880

// holder makes an owner whose wallet exists, and who was given tokens.
func holder(t *testing.T, w *runworld.Fixture, amount uint64) solana.PrivateKey {
	t.Helper()
	key := solana.NewWallet().PrivateKey
	w.Pay(t, key.PublicKey(), rentExempt)
	if amount > 0 {
		w.Give(t, key.PublicKey(), amount)
	}
	return key
}

// carried fails unless the whole share and what was owed are kept for an owner, for
// this reason.
func carried(t *testing.T, w *runworld.Fixture, r run.Run, asset terms.Asset, owner solana.PublicKey, reason allocation.Reason) allocation.Row {
	t.Helper()
	row := w.Row(t, r, asset, owner)
	if row.Carried == 0 || row.Paid != 0 || row.Reason != reason || row.Carried != row.Owed+row.Share {
		t.Errorf("%s is to be carried with the reason %s: %+v", owner, reason, row)
	}
	return row
}

// paid fails unless an owner was paid all that they are due.
func paid(t *testing.T, w *runworld.Fixture, r run.Run, asset terms.Asset, owner solana.PublicKey) allocation.Row {
	t.Helper()
	row := w.Row(t, r, asset, owner)
	if row.Carried != 0 || row.Paid == 0 || row.Paid+row.Charged != row.Owed+row.Share || row.Reason != "" {
		t.Errorf("%s is to be paid all that they are due: %+v", owner, row)
	}
	return row
}

// same fails unless two amounts are the same.
func same(t *testing.T, what string, got, want uint64) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %d, not %d", what, got, want)
	}
}

// plans does something before each leg is planned, when the snapshot has been
// taken.
type plans struct {
	run.Books
	before func()
}

func (p plans) Plan(ctx context.Context, r run.Run, order run.PlanOrder) (run.Plan, error) {
	p.before()
	return p.Books.Plan(ctx, r, order)
}

// set lets a wallet belong to a program.
func set(t *testing.T, w *runworld.Fixture, address, program solana.PublicKey) {
	t.Helper()
	w.Ledger.SetAccount(t, address.String(), surfpool.Account{Lamports: w.Lamports(t, address), Owner: program.String()})
}

// sol writes lamports as SOL.
func sol(lamports uint64) string {
	return fmt.Sprintf("%d.%09d", lamports/solana.LAMPORTS_PER_SOL, lamports%solana.LAMPORTS_PER_SOL)
}
