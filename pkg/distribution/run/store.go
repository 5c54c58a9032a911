package run

import (
	"context"
	"errors"
	"time"

	"github.com/gagliardetto/solana-go"
)

// Reader reads runs and heads. Reads are consistent.
type Reader interface {
	// Head returns a token's head. A head that was never written is empty, with Version 0.
	Head(ctx context.Context, mint solana.PublicKey) (Head, error)
	// Run returns the run of a slot, or ErrNotFound.
	Run(ctx context.Context, mint solana.PublicKey, slot time.Time) (Run, error)
}

// Store stores runs and heads in the ledger. Reads are consistent. A write returns ErrConflict
// unless the Version of every written record is the stored version (zero: not stored yet). The
// store increments the Version.
type Store interface {
	Reader
	// Open writes a new run and the head, whose Active and LastSlot are the run's slot, in one
	// transaction. It returns ErrConflict if a run is active, the slot is not newer than the last
	// slot, or the token's settings were changed since the read.
	Open(ctx context.Context, head Head, opened Run) error
	// Save writes an active run. A run without a write for OverdueAfter is overdue: see
	// dispatch.Overdue.
	Save(ctx context.Context, r Run) error
	// SaveBurn writes a run with a new Burn, the burn, and the head's sum of burns, in one
	// transaction.
	SaveBurn(ctx context.Context, r Run, burn Burn) error
	// End writes a run that has an End, and the head, whose Active is zero, in one transaction.
	End(ctx context.Context, ended Run, head Head) error
	// Reopen writes a run without an End over the stored run with an End, and the head, whose
	// Active is the run's slot, in one transaction. It returns ErrConflict if a run is active, or a
	// newer slot was opened.
	Reopen(ctx context.Context, r Run, head Head) error
	// SaveHead writes only a head.
	SaveHead(ctx context.Context, head Head) error
}

// OverdueAfter is the time without a write after which an active run counts as forgotten and is
// checked.
const OverdueAfter = 3 * time.Minute

var (
	// ErrNotFound is returned when the ledger has no such run.
	ErrNotFound = errors.New("no such run")
	// ErrConflict is returned when another process wrote first. The caller reads again.
	ErrConflict = errors.New("the run has changed meanwhile")
)
