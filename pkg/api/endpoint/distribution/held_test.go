package distribution_test

import (
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// TestHolderShowsHeldBefore tests the first distribution, which waits, and the next, with a holder
// who bought right before it.
func TestHolderShowsHeldBefore(t *testing.T) {
	w := runworld.NewEnv(t).Fixture(t)
	w.Token.Settings.RewardBasis = terms.BasisHeld
	p := newPublic(t, w)
	steady := w.Holders(t, 1, 1_000_000_000)[0]
	w.Give(t, w.Token.Wallet.Address, 500_000_000)
	preview := p.get(t, "previewRun", p.token+"/preview", 200)
	if preview["proceeds"] != nil || amount(t, preview, "sell") != 0 || amount(t, preview, "spendable") == 0 {
		t.Errorf("before the first: %v", preview)
	}

	first := w.Settle(t)
	shown := func(r run.Run) any {
		return part(t, p.get(t, "getRun", p.token+"/runs/"+r.ID, 200), "snapshot", "held")
	}
	if held := shown(first); part(t, held, "previousRunId") != nil || amount(t, held, "weight") != 0 {
		t.Errorf("the first: %v", held)
	}
	why := func(owner solana.PublicKey) map[string]any {
		return p.get(t, "getHolder", p.token+"/holders/"+owner.String(), 200)
	}
	if got := why(steady); part(t, got, "why", "code") != "not_held" || amount(t, got, "balance") != 950_000_000 {
		t.Errorf("a holder at the first: %v", got)
	}

	w.Clock.Pass(time.Minute) // the preview of before is forgotten
	if preview := p.get(t, "previewRun", p.token+"/preview", 200); amount(t, preview, "sell") == 0 {
		t.Errorf("after the first: %v", preview)
	}
	buyer := w.Holders(t, 1, 2_000_000_000)[0]
	second := w.Settle(t)
	if held := shown(second); part(t, held, "previousRunId") != first.ID || amount(t, held, "weight") != second.Snapshot.EligibleWeight {
		t.Errorf("the second: %v", held)
	}
	if got := why(buyer); part(t, got, "why", "code") != "not_held" || len(part(t, got, "assets").([]any)) != 0 {
		t.Errorf("who bought right before: %v", got)
	}
	if got := why(steady); got["why"] != nil || amount(t, got, "assets", 0, "paid") == 0 {
		t.Errorf("who held: %v", got)
	}
}
