package reconcile

import (
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch"
)

// Observation is what stood in a launch's accounts in one finalized slot, both read
// at once. What is finalized is never undone.
type Observation struct {
	Slot uint64
	// Height is that of a finalized block which is not after the slot; 0 where it was not asked
	// for.
	Height uint64
	// Nonce is the value of the nonce account, when there is one.
	Nonce      solana.Hash
	NonceFound bool
	// MintFound says that the mint exists. Its key signed transactions of the launch
	// alone, so it exists if and only if one of them has landed well.
	MintFound bool
}

// Finding is what an observation says of a submitted launch.
type Finding string

const (
	// Landed: the mint exists.
	Landed Finding = "landed"
	// MayLand: the nonce still has the launch's value.
	MayLand Finding = "may_land"
	// Dead: the nonce has moved on, and the mint does not exist. A nonce never
	// comes back to a value, so the launch has failed or can never land. On blockhashes:
	// every message that was submitted is past its last block, and no other can be.
	Dead Finding = "dead"
	// Waiting: nothing that was submitted can land any more, and the order lives: its
	// creator may submit another message.
	Waiting Finding = "waiting"
	// Unclear: the node is behind the submission, or does not know the nonce.
	Unclear Finding = "unclear"
)

// DecideOnBlockhash derives the finding of a launch on blockhashes at now. refused says that
// the chain refused each message that was submitted, which its creator was told.
func DecideOnBlockhash(l launch.Launch, s Observation, refused bool, now time.Time) Finding {
	switch {
	case s.MintFound:
		return Landed
	case s.Height <= l.LastValid():
		return MayLand
	case refused, l.Expired(now):
		return Dead
	}
	return Waiting
}

// Decide derives the finding of a launch on a nonce. It needs no memory of what was done before, so a
// crash between any two steps loses nothing.
func Decide(l launch.Launch, s Observation) Finding {
	switch {
	case s.MintFound:
		return Landed
	case s.Slot < l.SubmittedSlot, !s.NonceFound:
		// Before the submission the nonce may have had an earlier value, which would
		// look like having moved on.
		return Unclear
	case s.Nonce == l.Nonce.Value:
		return MayLand
	}
	return Dead
}
