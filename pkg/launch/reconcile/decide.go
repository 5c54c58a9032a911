package reconcile

import (
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch"
)

// Observation is what stood in a launch's accounts in one finalized slot, both read
// at once. What is finalized is never undone.
type Observation struct {
	Slot uint64
	// Nonce is the value of the nonce account, when there is one.
	Nonce      solana.Hash
	NonceFound bool
	// MintFound says that the mint exists. Its key signed the one transaction that
	// creates it, so it exists if and only if the launch has landed well.
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
	// comes back to a value, so the launch has failed or can never land.
	Dead Finding = "dead"
	// Unclear: the node is behind the submission, or does not know the nonce.
	Unclear Finding = "unclear"
)

// Decide derives the finding. It needs no memory of what was done before, so a
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
