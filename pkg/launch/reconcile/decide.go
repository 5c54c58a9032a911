package reconcile

import (
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch"
)

// Observation is the finalized state of a launch's accounts in one slot, read together. Finalized
// state is never undone.
type Observation struct {
	Slot uint64
	// Height is the height of a finalized block that is not after the slot; 0 if not requested.
	Height uint64
	// Nonce is the value of the nonce account, if NonceFound.
	Nonce      solana.Hash
	NonceFound bool
	// MintFound reports that the mint exists. The mint's key signed only transactions of the
	// launch, so the mint exists if and only if one of the transactions has succeeded.
	MintFound bool
}

// Finding is the conclusion from an observation of a submitted launch.
type Finding string

const (
	// Landed: the mint exists.
	Landed Finding = "landed"
	// MayLand: the nonce still has the launch's value. On blockhashes: a submitted message is not
	// known to be past its last block.
	MayLand Finding = "may_land"
	// Dead: the nonce has another value, and the mint does not exist. A nonce never returns to an
	// earlier value, so the launch has failed or can never land. On blockhashes: every submitted
	// message is past its last block, and no other message can be submitted.
	Dead Finding = "dead"
	// Waiting: no submitted message can land any more, but the launch is not expired. Its creator
	// may submit another message.
	Waiting Finding = "waiting"
	// Unclear: the node lags behind the submission, or does not know the nonce.
	Unclear Finding = "unclear"
)

// DecideOnBlockhash derives the finding of a launch on blockhashes at now. refused means: the chain
// rejected every submitted message, and the creator was told.
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

// Decide derives the finding of a launch on a nonce. Decide depends only on its arguments, so a
// crash between any two steps loses nothing.
func Decide(l launch.Launch, s Observation) Finding {
	switch {
	case s.MintFound:
		return Landed
	case s.Slot < l.SubmittedSlot, !s.NonceFound:
		// Before the submission the nonce may have had an earlier value, which would look like an
		// advance.
		return Unclear
	case s.Nonce == l.Nonce.Value:
		return MayLand
	}
	return Dead
}
