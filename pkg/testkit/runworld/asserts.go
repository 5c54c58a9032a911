package runworld

import (
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Distribute runs the distribution of the next slot to its end, and gives it. A
// run that was settled has a proof that holds, also against the chain.
func (w *Fixture) Distribute(t testing.TB) run.Run {
	t.Helper()
	slot := w.Slot()
	w.Drive(t, nil)
	return w.Look(t, slot)
}

// Settle is Distribute for a run that is to be settled.
func (w *Fixture) Settle(t testing.TB) run.Run {
	t.Helper()
	r := w.Distribute(t)
	if r.Status() != run.Settled {
		t.Fatalf("the run is %s: %+v", r.Status(), r.End)
	}
	return r
}

// Skip is Distribute for a run that is to be skipped with this code. Its sentence
// is given.
func (w *Fixture) Skip(t testing.TB, code run.Code) string {
	t.Helper()
	r := w.Distribute(t)
	if r.Status() != run.Skipped || r.End.Code != code || r.End.Detail == "" {
		t.Fatalf("the run is %s and not skipped as %s: %+v", r.Status(), code, r.End)
	}
	return r.End.Detail
}

// Look reads the run of a slot, and verifies its proof when it has one.
func (w *Fixture) Look(t testing.TB, slot time.Time) run.Run {
	t.Helper()
	r, err := w.Runs.Run(t.Context(), w.Token.Mint, slot)
	must.Do(t, err)
	if r.Status() == run.Settled {
		w.audit(t, r)
	}
	return r
}

// audit checks a settled run's proof, also against the chain.
func (w *Fixture) audit(t testing.TB, r run.Run) {
	t.Helper()
	w.Verify(t, r)
	if w.meddled {
		return
	}
	for _, c := range w.Report(t, r).Checks {
		if c.Name == "holders on chain" && w.seeded {
			continue
		}
		if c.Verdict == verify.Failed || c.Name == "history" && c.Verdict != verify.Proven {
			t.Errorf("the proof of run %s against the chain: %s: %s: %s", r.ID, c.Name, c.Verdict, c.Detail)
		}
	}
}

// Unheld says whether proofs are verified from their files alone: what a test did is one that
// the chain refuses, and the test looks at the Report itself.
func (w *Fixture) Unheld(yes bool) { w.meddled = yes }

// Skim sends lamports of the distribution wallet to an address, as a dishonest operator can,
// and pays the fee with the bank.
func (w *Fixture) Skim(t testing.TB, to solana.PublicKey, lamports uint64) {
	t.Helper()
	w.Execute(t, []solana.PrivateKey{w.Bank, solana.PrivateKey(w.walletsKey(t))},
		systemprogram.Transfer{From: w.Token.Wallet.Address, To: to, Lamports: lamports}.Instruction())
}

// Report verifies the proof of a settled run against the chain.
func (w *Fixture) Report(t testing.TB, r run.Run) verify.Report {
	t.Helper()
	report, err := verify.Bundle(t.Context(), w.Source(), r.Closing.AnchorTx, verify.Options{Node: w.Node, Markets: []solana.PublicKey{w.Maker.Address}})
	must.Do(t, err)
	return report
}

// Leave makes the wallet have so many lamports, past every transaction: what the chain
// tells of it is not whole any more, and its proofs are not held against it.
func (w *Fixture) Leave(t testing.TB, lamports uint64) {
	t.Helper()
	w.meddled = true
	w.Ledger.SetAccount(t, w.Token.Wallet.Address.String(), surfpool.Account{Lamports: lamports})
}

// Manifest reads what a settled run's proof says.
func (w *Fixture) Manifest(t testing.TB, r run.Run) format.Manifest {
	t.Helper()
	m, err := format.ReadManifest(t.Context(), w.Source(), r.Closing.Manifest)
	must.Do(t, err)
	return m
}

// Row reads an owner's row of an asset in a settled run's proof; the zero Row when
// there is none.
func (w *Fixture) Row(t testing.TB, r run.Run, asset terms.Asset, owner solana.PublicKey) allocation.Row {
	t.Helper()
	found, _, err := w.Manifest(t, r).Find(t.Context(), w.Source(), asset, owner)
	must.Do(t, err)
	return found.Row
}

// LeftOut reads why an owner has no share; empty when they are not among those who
// have none.
func (w *Fixture) LeftOut(t testing.TB, r run.Run, owner solana.PublicKey) string {
	t.Helper()
	found, _, err := w.Manifest(t, r).FindLeftOut(t.Context(), w.Source(), owner)
	must.Do(t, err)
	return found.Why
}
