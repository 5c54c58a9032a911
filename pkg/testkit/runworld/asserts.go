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
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Distribute runs the distribution of the next slot to its end, and returns the run. A settled run
// must have a valid proof, also against the chain.
func (w *Fixture) Distribute(t testing.TB) run.Run {
	t.Helper()
	slot := w.Slot()
	w.Drive(t, nil)
	return w.Look(t, slot)
}

// Settle is Distribute for a run that must be settled.
func (w *Fixture) Settle(t testing.TB) run.Run {
	t.Helper()
	r := w.Distribute(t)
	if r.Status() != run.Settled {
		t.Fatalf("the run is %s: %+v", r.Status(), r.End)
	}
	return r
}

// Skip is Distribute for a run that must be skipped with this code. It returns the sentence of the
// skip.
func (w *Fixture) Skip(t testing.TB, code run.Code) string {
	t.Helper()
	r := w.Distribute(t)
	if r.Status() != run.Skipped || r.End.Code != code || r.End.Detail == "" {
		t.Fatalf("the run is %s and not skipped as %s: %+v", r.Status(), code, r.End)
	}
	return r.End.Detail
}

// Look reads the run of a slot, and verifies its proof if the run is settled.
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

// Unheld sets whether proofs are verified only from their files. Tests with changes that the chain
// contradicts check the Report themselves.
func (w *Fixture) Unheld(yes bool) { w.meddled = yes }

// Skim sends lamports of the distribution wallet to an address, as a dishonest operator could. The
// bank pays the fee.
func (w *Fixture) Skim(t testing.TB, to solana.PublicKey, lamports uint64) {
	t.Helper()
	w.Execute(t, []solana.PrivateKey{w.Bank, solana.PrivateKey(w.walletsKey(t))},
		systemprogram.Transfer{From: w.Token.Wallet.Address, To: to, Lamports: lamports}.Instruction())
}

// TakeTax hands the authority over the tax over with the wallet's key, as a dishonest operator could.
func (w *Fixture) TakeTax(t testing.TB, to solana.PublicKey, memo string) {
	t.Helper()
	w.Execute(t, []solana.PrivateKey{w.Bank, solana.PrivateKey(w.walletsKey(t))},
		solana.NewInstruction(format.MemoProgram, solana.AccountMetaSlice{}, []byte(memo)),
		token2022.SetAuthority{
			Account: w.Token.Mint, Current: w.Token.Wallet.Address, Type: token2022.AuthorityWithdrawWithheld, New: to,
		}.Instruction())
}

// Report verifies the proof of a settled run against the chain.
func (w *Fixture) Report(t testing.TB, r run.Run) verify.Report {
	t.Helper()
	report, err := verify.Bundle(t.Context(), w.Source(), r.Closing.AnchorTx, verify.Options{Node: w.Node, Markets: []solana.PublicKey{w.Maker.Address}})
	must.Do(t, err)
	return report
}

// Leave sets the wallet's lamports without a transaction. The chain's history is then incomplete,
// so proofs are not checked against the chain.
func (w *Fixture) Leave(t testing.TB, lamports uint64) {
	t.Helper()
	w.meddled = true
	w.Ledger.SetAccount(t, w.Token.Wallet.Address.String(), surfpool.Account{Lamports: lamports})
}

// Manifest reads the manifest of a settled run's proof.
func (w *Fixture) Manifest(t testing.TB, r run.Run) format.Manifest {
	t.Helper()
	m, err := format.ReadManifest(t.Context(), w.Source(), r.Closing.Manifest)
	must.Do(t, err)
	return m
}

// Row reads an owner's row of an asset in a settled run's proof, or the zero Row if there is no
// such row.
func (w *Fixture) Row(t testing.TB, r run.Run, asset terms.Asset, owner solana.PublicKey) allocation.Row {
	t.Helper()
	found, _, err := w.Manifest(t, r).Find(t.Context(), w.Source(), asset, owner)
	must.Do(t, err)
	return found.Row
}

// LeftOut reads the reason why an owner has no share; empty if the owner is not left out.
func (w *Fixture) LeftOut(t testing.TB, r run.Run, owner solana.PublicKey) string {
	t.Helper()
	found, _, err := w.Manifest(t, r).FindLeftOut(t.Context(), w.Source(), owner)
	must.Do(t, err)
	return found.Why
}
