package canary

import (
	"errors"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/proof"
)

// A proof that only a newer verifier can judge fails the canary and refutes nothing. A failed
// check refutes the proof, whatever else is too new.
func TestCanaryDoesNotRefuteNewerProof(t *testing.T) {
	mint := solana.PublicKey{1}
	var run client.Run
	run.ID = "run"
	for name, test := range map[string]struct {
		verdicts       []proof.Verdict
		fails, refuted bool
	}{
		"holds":              {[]proof.Verdict{proof.Proven}, false, false},
		"too new":            {[]proof.Verdict{proof.Proven, proof.TooNew}, true, false},
		"failed":             {[]proof.Verdict{proof.Failed}, true, true},
		"too new and failed": {[]proof.Verdict{proof.TooNew, proof.Failed}, true, true},
	} {
		report := proof.Report{Manifest: proof.Manifest{Format: proof.Format, RunID: "run", Mint: proof.Key(mint)}}
		for _, verdict := range test.verdicts {
			report.Checks = append(report.Checks, proof.Check{Verdict: verdict})
		}
		err := Check{Mint: mint}.judge(run, report)
		if (err != nil) != test.fails || errors.Is(err, ErrRefuted) != test.refuted {
			t.Errorf("judge() of a proof that is %s = %v; want refuted %v", name, err, test.refuted)
		}
	}
}
