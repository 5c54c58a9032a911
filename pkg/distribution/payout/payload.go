package payout

import (
	"context"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/wire"
)

// Payload is what an intent's transaction does. It is made when the intent is
// bound, and again when a process ended before anything was signed.
type Payload struct {
	// Instructions come after AdvanceNonceAccount and the compute budget, which the
	// engine adds.
	Instructions []solana.Instruction
	// Skips are records of the batch that the instructions leave out.
	Skips []Skip
	// Check looks at the unsigned transaction, on the lane's nonce account, before
	// anything is decided; nil looks at nothing. An error that is a *Refusal decides
	// against the intent, any other one is a failure that passes.
	Check func(ctx context.Context, unsigned wire.Transaction, lane solana.PublicKey) error
	// CoSign asks those who sign beside the wallet for their signatures of a message;
	// nil when nobody does. Its errors are as those of Check; it may be called again
	// for a higher fee on the same nonce value.
	CoSign func(ctx context.Context, message []byte) (map[solana.PublicKey]solana.Signature, error)
}

// Refusal decides that an intent is not carried out: nothing was signed for it.
type Refusal struct {
	Reason Reason
	Detail string // a sentence for people
}

// Error gives the sentence.
func (r *Refusal) Error() string { return r.Detail }

// Reasons of refusals of intents that are no batch.
const (
	// ReasonExchange: the venue or our limits said no.
	ReasonExchange Reason = "exchange_refused"
	// ReasonSimulation: the transaction would fail on the chain.
	ReasonSimulation Reason = "would_fail"
)
