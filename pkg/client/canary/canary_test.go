package canary

import (
	"errors"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
)

// A proof that only a newer verifier can judge fails the canary and refutes nothing. A failed
// check refutes the proof, whatever else is too new. The same holds of files and a node that cannot
// be reached.
func TestCanaryRefutesFailedProof(t *testing.T) {
	mint := solana.PublicKey{1}
	var run client.Run
	run.ID = "run"
	for name, test := range map[string]struct {
		verdicts       []verify.Verdict
		fails, refuted bool
	}{
		"holds":                        {[]verify.Verdict{verify.Proven}, false, false},
		"too new":                      {[]verify.Verdict{verify.Proven, verify.TooNew}, true, false},
		"failed":                       {[]verify.Verdict{verify.Failed}, true, true},
		"unreachable":                  {[]verify.Verdict{verify.Proven, verify.Skipped}, true, false},
		"failed, the rest unreachable": {[]verify.Verdict{verify.Failed, verify.Skipped}, true, true},
		"too new and failed":           {[]verify.Verdict{verify.TooNew, verify.Failed}, true, true},
	} {
		report := verify.Report{Manifest: format.Manifest{Format: format.Format, RunID: "run", Mint: format.Key(mint)}}
		for _, verdict := range test.verdicts {
			report.Checks = append(report.Checks, verify.Check{Verdict: verdict, Unreached: verdict == verify.Skipped})
		}
		err := Check{Mint: mint}.judge(run, report)
		if (err != nil) != test.fails || errors.Is(err, ErrRefuted) != test.refuted {
			t.Errorf("judge() of a proof that is %s = %v; want refuted %v", name, err, test.refuted)
		}
	}
}
