package payout

import (
	"context"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/wire"
)

// Payload is what a payment's transaction does. It is made when the payment is
// bound, and again when a process ended before anything was signed.
type Payload struct {
	// Instructions come after the receipt and the compute budget, which the engine adds.
	Instructions []solana.Instruction
	// Named are accounts that the receipt's instruction names beside: the transaction then
	// shows their balances, and stands in their histories.
	Named []solana.PublicKey
	// Check looks at the unsigned transaction, which creates the receipt, before anything
	// is decided; nil looks at nothing. An error that is a *Refusal decides against the
	// payment, any other one is a failure that passes.
	Check func(ctx context.Context, unsigned wire.Transaction, receipt *Receipt) error
	// CoSign is nil when only the wallet signs.
	CoSign CoSign
}

// CoSign asks those who sign beside the wallet for their signatures of a message. Its
// errors are as those of Payload.Check.
type CoSign func(ctx context.Context, message []byte) (map[solana.PublicKey]solana.Signature, error)

// Refusal decides that a payment is not made: nothing was signed for it.
type Refusal struct {
	Reason Reason
	Detail string // a sentence for people
}

// Error gives the sentence.
func (r *Refusal) Error() string { return r.Detail }

// Reasons of refusals of payments that are no batch.
const (
	// ReasonExchange: the venue or our limits said no.
	ReasonExchange Reason = "exchange_refused"
	// ReasonSimulation: the transaction would fail on the chain.
	ReasonSimulation Reason = "would_fail"
)
