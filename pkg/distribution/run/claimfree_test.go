package run_test

import (
	"testing"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Claims cost who claims nothing, so one that can pay no one costs the wallet nothing either:
// otherwise a holder without SOL could empty it, a proof at a time.
func TestClaimWithoutPayeeIsFree(t *testing.T) {
	g := runworld.NewEnv(t)
	c := newOwed(t, g, 1)
	wallet := c.Token.Wallet.Address
	before, had := c.Head(t), c.Lamports(t, wallet)
	for range 3 {
		c.Claim(t, c.poor[0])
		c.Drive(t, nil)
		r := c.claimed(t)
		if r.Status() != run.Skipped || r.End.Code != run.CodeBelowCost || r.End.Detail == "" {
			t.Fatalf("the claim is %s: %+v", r.Status(), r.End)
		}
		c.Clock.Pass(run.ClaimPause)
	}
	same(t, "what the wallet has", c.Lamports(t, wallet), had)
	if after := c.Head(t); after.Last.Number != before.Last.Number {
		t.Errorf("%d proofs were made", after.Last.Number-before.Last.Number)
	}

	// Once they can be paid they are, by a claim as by any run.
	c.Pay(t, c.poor[0], rentExempt)
	c.Claim(t, c.poor[0])
	c.Drive(t, nil)
	paid(t, c.Fixture, c.claimed(t), terms.SOL, c.poor[0])
	c.arrived(t, c.poor[0])
}
