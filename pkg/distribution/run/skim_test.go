package run_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/testkit/runworld"
)

// Two runs on the local chain are proven, or named as trust, in every statement. Then one
// lamport is skimmed and another one hides it from the books, so that the service itself
// anchors the next run: its files are good, and the chain refuses it.
func TestOneSkimmedLamportIsRefused(t *testing.T) {
	t.Parallel()
	w := runworld.NewEnv(t).Fixture(t)
	w.Holders(t, 3, 1_000_000_000)
	honest := w.Settle(t)
	report := w.Report(t, honest)
	for _, c := range report.Checks {
		t.Logf("%-20s %-24s %s", c.Name, c.Verdict, c.Detail)
	}
	if !report.Complete() {
		t.Fatal("an honest run is not complete")
	}
	if _, err := verify.AttestationText(report, nil); err != nil {
		t.Errorf("it cannot be attested: %v", err)
	}

	operator := solana.NewWallet().PublicKey()
	w.Pay(t, operator, 10_000_000) // so that it bears a lamport more
	w.Unheld(true)
	w.Skim(t, operator, 1)
	w.Pay(t, w.Token.Wallet.Address, 1)
	w.Holders(t, 2, 1_000_000_000)
	skimmed := w.Distribute(t)
	if skimmed.Status() != run.Settled {
		t.Fatalf("the run is %s: %+v", skimmed.Status(), skimmed.End)
	}
	report = w.Report(t, skimmed)
	var first verify.Check
	for _, c := range report.Checks {
		if c.Verdict == verify.Failed && first.Name == "" {
			first = c
		}
	}
	if report.OK() || first.Name != "transactions on chain" || !strings.Contains(first.Detail, "the wallet signed it, and the proof does not name it") {
		t.Errorf("it is not refused for the skim: %+v", first)
	}
	if _, err := verify.AttestationText(report, nil); !errors.Is(err, verify.ErrIncomplete) {
		t.Errorf("it is attested: %v", err)
	}
	// The run before stays as good as it was.
	if report = w.Report(t, honest); !report.Complete() {
		t.Errorf("the honest run is not complete any more: %+v", report.Checks)
	}
}
