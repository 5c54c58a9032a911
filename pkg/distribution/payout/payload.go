package payout

import (
	"context"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/wire"
)

// Payload is the content of a payment's transaction. The payload is built before the binding,
// and again if the process ended before the first signature.
type Payload struct {
	// Instructions follow the receipt and the compute budget, which the engine adds.
	Instructions []solana.Instruction
	// Named are additional accounts of the receipt's instruction. The transaction then shows
	// the balances of these accounts, and appears in their histories.
	Named []solana.PublicKey
	// Check checks the unsigned transaction before the decision; nil accepts every
	// transaction. A *Refusal cancels the payment. Any other error is transient.
	Check func(ctx context.Context, unsigned wire.Transaction, receipt *Receipt) error
	// Rest returns the last instruction of a payment that empties the wallet. lamports is the
	// balance without the transaction's fee, so the instruction depends on the fee, and all attempts
	// offer the same price. Rest is nil for a payment whose instructions are fixed. A *Refusal cancels
	// the payment.
	Rest func(lamports uint64) (solana.Instruction, error)
	// CoSign is nil if only the wallet signs.
	CoSign CoSign
}

// CoSign requests signatures of a message from the other signers. Errors have the meaning of
// Payload.Check's errors.
type CoSign func(ctx context.Context, message []byte) (map[solana.PublicKey]solana.Signature, error)

// Refusal is the decision to cancel an unsigned payment.
type Refusal struct {
	Reason Reason
	Detail string // a sentence for people
}

// Error returns Detail.
func (r *Refusal) Error() string { return r.Detail }

// Reasons for refusing a payment that is not a batch.
const (
	// ReasonExchange: the venue or the service's limits rejected the exchange.
	ReasonExchange Reason = "exchange_refused"
	// ReasonSimulation: the simulation of the transaction failed.
	ReasonSimulation Reason = "would_fail"
)
