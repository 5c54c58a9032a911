package reconcile_test

import (
	"fmt"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/reconcile"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// Every combination of what an observation can say. Nothing but a slot that is not
// before the submission ever makes a launch dead.
func TestJudge(t *testing.T) {
	const submitted = 100
	issued, earlier := solana.Hash{1}, solana.Hash{2}
	l := launch.Launch{Prepared: transaction.Prepared{Nonce: transaction.Nonce{Value: issued}, SubmittedSlot: submitted}}
	for _, slot := range []uint64{0, submitted - 1, submitted, submitted + 1} {
		for _, value := range []solana.Hash{{}, issued, earlier} {
			for _, mint := range []bool{false, true} {
				s := reconcile.Observation{Slot: slot, Nonce: value, NonceFound: value != solana.Hash{}, MintFound: mint}
				want := reconcile.Unclear
				switch {
				case mint:
					want = reconcile.Landed
				case slot >= submitted && value == issued:
					want = reconcile.MayLand
				case slot >= submitted && value == earlier:
					want = reconcile.Dead
				}
				if got := reconcile.Decide(l, s); got != want {
					t.Errorf("%s: %s, want %s", fmt.Sprintf("%+v", s), got, want)
				}
			}
		}
	}
}
