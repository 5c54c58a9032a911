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

// Store is the ledger of payments. Reads are consistent. Every write is one
// conditional write or one transaction, refused with ErrConflict unless the Version of
// each thing written is the stored one (zero: not stored yet); the store counts it up,
// and the caller reads again before it writes again.
type Store interface {
	// Payment gives a payment, or ErrNotFound.
	Payment(ctx context.Context, id ID) (Payment, error)
	// Payments gives all payments of one kind and leg of a run, batch by batch, a whole
	// before its parts, as it reads them.
	Payments(ctx context.Context, run string, kind Kind, leg int) iter.Seq2[Payment, error]
	// Batches gives those of the batches from to to, excluded, in the same order.
	Batches(ctx context.Context, run string, kind Kind, leg, from, to int) ([]Payment, error)

	// Bind writes the decision to act: a payment whose BoundAt is set. It is refused
	// unless the payment is planned, or is bound again with the next generation's receipt.
	Bind(ctx context.Context, p Payment) error
	// Record writes a payment with one more attempt, or with what was seen of it. It is
	// refused unless the stored payment is bound or sent.
	Record(ctx context.Context, p Payment) error
	// End writes a payment that is decided, which may be the decision not to act, and the
	// parts that take its place, in one transaction. It is refused when the payment has
	// an end, but for Unknown.
	End(ctx context.Context, p Payment, parts ...Payment) error
	// Quiet writes what the attempts cost that came to nothing. It is refused unless the
	// payment has landed or is void.
	Quiet(ctx context.Context, p Payment) error

	// StripeDone writes that a stripe has nothing left to do. Again is no error.
	StripeDone(ctx context.Context, work Work) error
	// StripesDone counts the stripes of a leg that have nothing left to do. It is a
	// hint: what is done is said by the payments.
	StripesDone(ctx context.Context, run string, kind Kind, leg int) (int, error)
}

// Journal keeps what was signed, outside of the ledger, so that a ledger restored
// from an old backup is known to be old, and can be brought up to date.
type Journal interface {
	// Attempt keeps a payment with its newest attempt, before that is sent.
	Attempt(ctx context.Context, p Payment) error
	// Landed keeps a payment with the landing that ended it, before its receipt is
	// closed. Again is no error.
	Landed(ctx context.Context, p Payment) error
	// Has says whether anything was kept for a payment, or for parts of it.
	Has(ctx context.Context, p Payment) (bool, error)
	// Of gives everything that was kept for a payment itself, once for each attempt and
	// landing.
	Of(ctx context.Context, p Payment) ([]Payment, error)
	// All gives everything that was kept for a mint, in any order.
	All(ctx context.Context, mint solana.PublicKey) iter.Seq2[Payment, error]
}

// Wallet signs for distribution wallets; see package signing.
type Wallet interface {
	// Sign signs the message of a payment that is bound in the ledger. It fails with
	// ErrNotSigned when the message is not what the ledger decided, and with ErrCap when
	// more would leave the wallets than may.
	Sign(ctx context.Context, o Order) (solana.Signature, error)
	// Seed gives the seed of a receipt, 22 characters, which follows from the payment's id,
	// the generation and the wallet's secret.
	Seed(ctx context.Context, o SeedOrder) (string, error)
}

// Order asks for a signature.
type Order struct {
	Wallet  token.Wallet
	Mint    solana.PublicKey
	Payment ID
	Message []byte
}

// SeedOrder asks for the seed of a receipt.
type SeedOrder struct {
	Wallet     token.Wallet
	Payment    ID
	Generation int
}

// Text is what the seed is derived from.
func (o SeedOrder) Text() string { return fmt.Sprintf("%s/%d", o.Payment, o.Generation) }

// Phase is a part of a run that is done in batches over a file of records.
type Phase struct {
	Run    string
	Mint   solana.PublicKey
	Wallet token.Wallet
	Kind   Kind // Collect or Pay
	Leg    int
	// File is where the records are, and Records how many. A batch has BatchSize of
	// them, the last one perhaps fewer.
	File      string
	Records   uint32
	BatchSize uint32
	// Stripe is how many batches one message works on, all at once.
	Stripe  int
	Version Version
	// Asset is what is paid; Program owns its mint, which has Decimals and takes
	// FeeBps of a transfer, MaximumFee base units at most: what holders get of it, for
	// the rows. Of collections they are the token's own. For SOL all are zero.
	Asset      terms.Asset
	Program    solana.PublicKey
	Decimals   uint8
	FeeBps     uint16
	MaximumFee uint64
	// RentFloor is what an owed amount must be worth, in units of the asset, before an
	// account is made for its holder: ten times the account's rent; AccountCharge is
	// the rent in units of the asset, which that holder bears.
	RentFloor     uint64
	AccountCharge uint64
	// Deadline is when nothing new is bound any more.
	Deadline time.Time
	// Fence is the newest generation of the phase's messages: Work with a smaller one
	// is dropped, so that messages which were thought lost and sent again never pile
	// up. It saves work and guards nothing.
	Fence int
}

// Batches is how many batches the phase has.
func (p Phase) Batches() int {
	if p.BatchSize == 0 {
		return 0
	}
	return int((p.Records + p.BatchSize - 1) / p.BatchSize)
}

// Stripes is how many stripes the phase has.
func (p Phase) Stripes() int {
	if p.Stripe == 0 {
		return 0
	}
	return (p.Batches() + p.Stripe - 1) / p.Stripe
}

// stripe gives the batches of a stripe, to excluded.
func (p Phase) stripe(number int) (from, to int) {
	return number * p.Stripe, min((number+1)*p.Stripe, p.Batches())
}

// Work is a message: advance the batches of a stripe.
type Work struct {
	Mint solana.PublicKey
	Slot time.Time // of the run
	Run  string
	Kind Kind
	Leg  int
	// Stripe counts from 0.
	Stripe int
	// Fence is the phase's when the message was made; see Phase.
	Fence int
}

// Phases tells what a phase is, from the run's record.
type Phases interface {
	Phase(ctx context.Context, work Work) (Phase, error)
}

// Next says what is to be done after a step.
type Next struct {
	// Done: nothing is left to do.
	Done bool
	// After is how long to wait before the next step; zero means at once.
	After time.Duration
}
