package payout

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Store is the ledger of payments. Reads are strongly consistent. Every write is one
// conditional write or one transaction. The store increments Version with every write,
// and returns ErrConflict unless the given Version is the stored one (zero for a new
// record). After a write the caller reads again before the next write.
type Store interface {
	// Payment returns a payment, or ErrNotFound.
	Payment(ctx context.Context, id ID) (Payment, error)
	// Payments iterates over all payments of one kind and leg of a run, ordered by batch,
	// a whole batch before its parts.
	Payments(ctx context.Context, run string, kind Kind, leg int) iter.Seq2[Payment, error]
	// Batches returns the payments of the batches from to to, excluded, in the same order.
	Batches(ctx context.Context, run string, kind Kind, leg, from, to int) ([]Payment, error)

	// Bind writes the decision to pay: a payment whose BoundAt is set. The stored payment
	// must be planned, or p must be a second binding to the next generation's receipt.
	Bind(ctx context.Context, p Payment) error
	// Record writes a payment with one more attempt, or with a new observation. The stored
	// payment must be bound or sent.
	Record(ctx context.Context, p Payment) error
	// End writes a decided payment, and the parts that replace a split payment, in one
	// transaction. A cancellation is a decision, too. The stored payment must be undecided
	// or Unknown.
	End(ctx context.Context, p Payment, parts ...Payment) error
	// Quiet writes the cost of the failed attempts. The stored payment must be landed or
	// void.
	Quiet(ctx context.Context, p Payment) error

	// ChunkDone marks a chunk as complete. It is idempotent.
	ChunkDone(ctx context.Context, work Work) error
	// ChunksDone counts the complete chunks of a leg. The count is a hint, because only
	// the payments decide what is complete.
	ChunksDone(ctx context.Context, run string, kind Kind, leg int) (int, error)
}

// Journal stores signed payments outside of the ledger. The journal shows that a ledger
// was restored from an old backup, and brings such a ledger up to date.
type Journal interface {
	// Attempt stores a payment with a new attempt, before the attempt is sent.
	Attempt(ctx context.Context, p Payment) error
	// Landed stores a payment with the landing that ended the payment, before the receipt
	// is closed. It is idempotent.
	Landed(ctx context.Context, p Payment) error
	// Has reports whether the journal has a record of a payment, or of parts of a payment.
	Has(ctx context.Context, p Payment) (bool, error)
	// Of returns all records of a payment, without parts: one for each attempt and landing.
	Of(ctx context.Context, p Payment) ([]Payment, error)
	// All iterates over all records of a mint, in any order.
	All(ctx context.Context, mint solana.PublicKey) iter.Seq2[Payment, error]
}

// Wallet signs for distribution wallets; see package signing.
type Wallet interface {
	// Sign signs the message of a payment that is bound in the ledger. It returns
	// ErrNotSigned if the message differs from the ledger's decision, and ErrCap if the
	// payment would exceed a cap.
	Sign(ctx context.Context, o Order) (solana.Signature, error)
	// Seed returns the seed of a receipt, 22 characters, derived from the payment's ID, the
	// generation and the wallet's secret.
	Seed(ctx context.Context, o SeedOrder) (string, error)
}

// Order is a request for a signature.
type Order struct {
	Wallet  token.Wallet
	Mint    solana.PublicKey
	Payment ID
	Message []byte
}

// SeedOrder is a request for the seed of a receipt.
type SeedOrder struct {
	Wallet     token.Wallet
	Payment    ID
	Generation int
}

// Text returns the input of the seed's derivation.
func (o SeedOrder) Text() string { return fmt.Sprintf("%s/%d", o.Payment, o.Generation) }

// Phase is a part of a run that processes a file of records in batches.
type Phase struct {
	Run    string
	Mint   solana.PublicKey
	Wallet token.Wallet
	Kind   Kind // Collect or Pay
	Leg    int
	// File is the address of the records. Records is the number of records. A batch has
	// BatchSize records, the last batch perhaps fewer.
	File      string
	Records   uint32
	BatchSize uint32
	// Chunk is the number of batches that one message works on concurrently.
	Chunk   int
	Version Version
	// Collector is the authority over the token's withheld tax, for collections; zero for the
	// wallet.
	Collector token.Collector
	// Asset is the paid asset. Program owns the asset's mint, which has Decimals and
	// withholds FeeBps of a transfer, up to MaximumFee base units. The rows need the fee
	// for the amount that holders receive. For collections, all describe the token. For
	// SOL, all are zero.
	Asset      terms.Asset
	Program    solana.PublicKey
	Decimals   uint8
	FeeBps     uint16
	MaximumFee uint64
	// RentFloor is the minimum amount, in units of the asset, for which the service creates
	// a holder's account: ten times the account's rent. AccountCharge is the rent in units
	// of the asset, which the holder bears.
	RentFloor     uint64
	AccountCharge uint64
	// Deadline is the end of new bindings.
	Deadline time.Time
	// Fence is the newest generation of the phase's messages. Work of an older generation
	// is dropped, so repeated messages never pile up. Fence only deduplicates messages:
	// correctness does not depend on the field.
	MessageGeneration int
}

// Batches returns the number of batches of the phase.
func (p Phase) Batches() int {
	if p.BatchSize == 0 {
		return 0
	}
	return int((p.Records + p.BatchSize - 1) / p.BatchSize)
}

// Chunks returns the number of chunks of the phase.
func (p Phase) Chunks() int {
	if p.Chunk == 0 {
		return 0
	}
	return (p.Batches() + p.Chunk - 1) / p.Chunk
}

// chunk returns the range of batches of a chunk, to excluded.
func (p Phase) chunk(number int) (from, to int) {
	return number * p.Chunk, min((number+1)*p.Chunk, p.Batches())
}

// Work is a message that requests the next step of a chunk's batches.
type Work struct {
	Mint solana.PublicKey
	Slot time.Time // of the run
	Run  string
	Kind Kind
	Leg  int
	// Chunk counts from 0.
	Chunk int
	// Fence is the phase's generation at the time of the message; see Phase.
	MessageGeneration int
}

// Phases reads phases from the runs' records.
type Phases interface {
	Phase(ctx context.Context, work Work) (Phase, error)
}

// Next describes the work after a step.
type Next struct {
	// Done reports that no work is left.
	Done bool
	// After is the time until the next step; zero means immediately.
	After time.Duration
}
