package payout

import (
	"context"
	"iter"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Store is the ledger of intents and lanes. Reads are consistent. Every write is
// one conditional write or one transaction, refused with ErrConflict unless the
// Version of each thing written is the stored one (zero: not stored yet); the
// store counts it up, and the caller reads again before it writes again.
type Store interface {
	// Lane gives a lane, or ErrNotFound.
	Lane(ctx context.Context, mint solana.PublicKey, number int) (Lane, error)
	// Lanes gives all lanes of a mint's wallet, by number.
	Lanes(ctx context.Context, mint solana.PublicKey) ([]Lane, error)
	// PutLane stores a new lane, a value that a free one was found with, or a freeze.
	PutLane(ctx context.Context, lane Lane) error

	// Intent gives an intent, or ErrNotFound.
	Intent(ctx context.Context, id ID) (Intent, error)
	// Family gives what there is of a batch: the whole and its parts, parents first.
	Family(ctx context.Context, id ID) ([]Intent, error)
	// Intents gives all intents of one kind and leg of a run, batch by batch, as it
	// reads them.
	Intents(ctx context.Context, run string, kind Kind, leg int) iter.Seq2[Intent, error]

	// Bind writes the intent, whose Lane, Value and BoundAt are set, and the lane,
	// whose Intent is the intent's ID, in one transaction. It is refused unless the
	// stored lane is free and has that value.
	Bind(ctx context.Context, intent Intent, lane Lane) error
	// Record writes an intent with one more attempt, or with what was seen of its
	// lane. It is refused when the stored intent has an outcome.
	Record(ctx context.Context, intent Intent) error
	// End writes an intent that is decided, the lane that it frees (or freezes), and
	// the parts that take its place, in one transaction. lane is nil when the intent
	// was never bound.
	End(ctx context.Context, intent Intent, lane *Lane, parts ...Intent) error

	// LaneDone writes that a lane has nothing left to do in a phase. Again is no error.
	LaneDone(ctx context.Context, work Work) error
	// LanesDone counts the lanes that have nothing left to do in a phase.
	LanesDone(ctx context.Context, run string, kind Kind, leg int) (int, error)
}

// Journal keeps what was signed, outside of the ledger, so that a ledger restored
// from an old backup can be brought up to date.
type Journal interface {
	// Write keeps an intent with its newest attempt, before that is sent.
	Write(ctx context.Context, intent Intent) error
	// Has says whether anything was kept for an intent, or for parts of it; that is
	// what Write needs to know of it.
	Has(ctx context.Context, intent Intent) (bool, error)
	// All gives everything that was kept for a mint, in any order; an intent comes once
	// for each of its attempts.
	All(ctx context.Context, mint solana.PublicKey) iter.Seq2[Intent, error]
}

// Wallet signs for a distribution wallet: the one place where that happens.
type Wallet interface {
	// Sign signs a message with the key of the wallet. It fails when the derived
	// address is not the recorded one.
	Sign(ctx context.Context, wallet token.Wallet, message []byte) (solana.Signature, error)
}

// Phase is a part of a run that is done in batches over a file of records.
type Phase struct {
	Run    string
	Mint   solana.PublicKey
	Wallet token.Wallet
	Kind   Kind // Collect or Pay
	Leg    int
	// File is where the records are, and Records how many. A batch has BatchSize of
	// them, the last one perhaps fewer; batch b is for lane b modulo Lanes.
	File      string
	Records   uint32
	BatchSize uint32
	Version   Version
	Lanes     int
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

// Work is a message: advance this batch on this lane, and then the lane's next.
type Work struct {
	Mint  solana.PublicKey
	Slot  time.Time // of the run
	Run   string
	Kind  Kind
	Leg   int
	Lane  int
	Batch int
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
	// Work is what to do then, of batched phases.
	Work Work
}
