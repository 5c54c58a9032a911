package reconcile_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/reconcile"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// Every combination of an observation's values. Only a slot at or after the submission's ever makes
// a launch dead.
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

// A launch on blockhashes is dead if no message can land, and if no other can be submitted or each
// was rejected.
func TestJudgeOnBlockhash(t *testing.T) {
	const last = 100
	noon := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	l := launch.Launch{Prepared: transaction.Prepared{ExpiresAt: noon, Messages: []transaction.Message{
		{LastValid: last - 50, Signature: solana.Signature{1}}, {LastValid: last, Signature: solana.Signature{2}}, {LastValid: last + 50},
	}}}
	for _, height := range []uint64{0, last - 1, last, last + 1} {
		for _, mint := range []bool{false, true} {
			for _, refused := range []bool{false, true} {
				for _, now := range []time.Time{noon.Add(-time.Millisecond), noon} {
					want := reconcile.Waiting
					switch {
					case mint:
						want = reconcile.Landed
					case height <= last:
						want = reconcile.MayLand
					case refused, now.Equal(noon):
						want = reconcile.Dead
					}
					if got := reconcile.DecideOnBlockhash(l, reconcile.Observation{Height: height, MintFound: mint}, refused, now); got != want {
						t.Errorf("at %d, mint %v, rejected %v, %s: %s, want %s", height, mint, refused, now, got, want)
					}
				}
			}
		}
	}
}
