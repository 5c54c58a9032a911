package run

import (
	"context"
	"errors"
	"time"

	"github.com/gagliardetto/solana-go"
)

// Reader reads runs and heads. Reads are consistent.
type Reader interface {
	// Head gives a token's head; one that was never written is empty, with Version 0.
	Head(ctx context.Context, mint solana.PublicKey) (Head, error)
	// Run gives a run by its slot, or ErrNotFound.
	Run(ctx context.Context, mint solana.PublicKey, slot time.Time) (Run, error)
}

// Store keeps runs and heads in the ledger. Reads are consistent. Writes are
// refused with ErrConflict unless the Version of each thing written is the stored
// one (zero: not stored yet); the store counts it up.
type Store interface {
	Reader
	// Open writes a new run and the head, whose Active and LastSlot are its slot, in
	// one transaction. It is refused when a run is active, the slot is not newer than
	// the last, or the token's settings were changed since they were read.
	Open(ctx context.Context, head Head, opened Run) error
	// Save writes a run that is under way. It is overdue when nothing is written for
	// a while: see Overdue.
	Save(ctx context.Context, r Run) error
	// SaveBurn writes a run whose Burn is new, the burn, and the head's sum of burns,
	// in one transaction.
	SaveBurn(ctx context.Context, r Run, burn Burn) error
	// End writes a run that has an End, and the head, whose Active is zero, in one
	// transaction.
	End(ctx context.Context, ended Run, head Head) error
	// Reopen writes a run without an End that has one stored, and the head, whose Active
	// is its slot, in one transaction. It is refused when a run is active, or a newer slot
	// was opened.
	Reopen(ctx context.Context, r Run, head Head) error
	// SaveHead writes a head alone.
	SaveHead(ctx context.Context, head Head) error
}

// OverdueAfter is how long nothing has to be written of an active run before it is checked
// whether it was forgotten.
const OverdueAfter = 3 * time.Minute

var (
	// ErrNotFound: there is no such run.
	ErrNotFound = errors.New("no such run")
	// ErrConflict: another process wrote meanwhile; read again.
	ErrConflict = errors.New("the run has changed meanwhile")
)
