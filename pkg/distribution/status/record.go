// Package status looks at the service every minute: what waits, for how long, and what
// it waits for. It measures what it finds and keeps one record of it, from which the
// public page of GET /status is made. It changes nothing else.
package status

import "time"

// Record is what was found at one moment. A part that could not be read is nil. It holds
// nothing private: the public page is made of it.
type Record struct {
	At       time.Time
	Chain    *Chain
	Launches *Launches
	Runs     *Runs
	Queues   *Queues
	// LastSlot is the newest slot that was ever seen with a run at work.
	LastSlot time.Time
}

// Chain is what a node says of the newest finalized block.
type Chain struct {
	Slot uint64
	// LagSeconds is its age.
	LagSeconds int64
}

// Launches is what launches wait for.
type Launches struct {
	Nonces     int
	NoncesFree int
	// LateSeconds is how late the reconciler is with the one that waits longest.
	LateSeconds int64
	// AuthorityLamports pay for nonce accounts; nil when the balance could not be read.
	AuthorityLamports *uint64
}

// Runs are the distributions at work.
type Runs struct {
	// Doing counts them by status.
	Doing map[string]int
	// Overdue are those of which nothing was heard for longer than they may be silent.
	Overdue int
	// OldestSlot and NewestSlot are those of runs at work; zero when there is none.
	OldestSlot, NewestSlot time.Time
	// More: there are more than were looked at.
	More bool
	// Frozen are tokens of which nothing moves until an operator has looked into it, and
	// Reserved those with amounts whose payment may or may not have landed.
	Frozen, Reserved int
	// ReservedLamports is what of the latter is SOL.
	ReservedLamports uint64
}

// Active is how many runs are at work.
func (r Runs) Active() (n int) {
	for _, count := range r.Doing {
		n += count
	}
	return n
}

// Queues is what waits in queues.
type Queues struct {
	Notices, Pins int
	// GivenUp are messages in dead-letter queues.
	GivenUp int
}
