// Package status checks the service every minute: the waiting work, the duration of the wait, and
// the cause. The package emits metrics and stores one record, which is the source of the public
// page of GET /status. It changes nothing else.
package status

import "time"

// Record is the result of a check. A part that could not be read is nil. The record is the source
// of the public page, so it contains no private data.
type Record struct {
	At       time.Time
	Chain    *Chain
	Launches *Launches
	Runs     *Runs
	Queues   *Queues
	// LastSlot is the newest slot at which a run was ever seen active.
	LastSlot time.Time
}

// Chain is a node's view of the newest finalized block.
type Chain struct {
	Slot uint64
	// LagSeconds is the age of the block.
	LagSeconds int64
}

// Launches is the state of the resources of launches.
type Launches struct {
	Nonces     int
	NoncesFree int
	// LateSeconds is the delay of the reconciler with the oldest due launch or transaction.
	LateSeconds int64
	// AuthorityLamports pay for nonce accounts; nil if the balance could not be read.
	AuthorityLamports *uint64
}

// Runs are the active runs, claims included.
type Runs struct {
	// Doing is the number of runs by status.
	Doing map[string]int
	// Overdue is the number of runs without progress for longer than allowed.
	Overdue int
	// OldestSlot and NewestSlot are the slots of active distributions and sweeps; zero without such
	// a run. The slot of a claim is unrelated to its age.
	OldestSlot, NewestSlot time.Time
	// More reports that there are more runs than were checked.
	More bool
	// Frozen is the number of tokens that are stopped until an operator has investigated. Reserved
	// is the number of tokens with undecided payments.
	Frozen, Reserved int
	// ReservedLamports is the sum of reserved SOL.
	ReservedLamports uint64
}

// Active returns the number of active runs.
func (r Runs) Active() (n int) {
	for _, count := range r.Doing {
		n += count
	}
	return n
}

// Queues is the number of waiting messages.
type Queues struct {
	Notices, Pins int
	// GivenUp is the number of messages in dead-letter queues.
	GivenUp int
}
