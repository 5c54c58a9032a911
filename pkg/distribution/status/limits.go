package status

import "time"

// What is still well. The alarms of the stack that look at the same use these, so that
// the page and they agree.
const (
	// NodeLag is how old the newest finalized block may be; from NodeDown on neither
	// launches nor distributions go on.
	NodeLag  = 90 * time.Second
	NodeDown = 5 * time.Minute
	// FewestFreeNonces are ready for launches that come at once.
	FewestFreeNonces = 2
	// LeastAuthority is the rent of some 65 nonce accounts, in lamports.
	LeastAuthority = 100_000_000
	// LaunchLate is how late the reconciler may be with a launch or a transaction.
	LaunchLate = 10 * time.Minute
	// RunOld is the age of a slot at which its run should be over.
	RunOld = 2 * time.Hour
	// MostOverdue are the runs of which nothing is heard.
	MostOverdue = 0
	// MostBacklog is how many notices or files may wait.
	MostBacklog = 1000
	// Stale is the age at which a record says nothing any more. One is made each minute.
	Stale = 3 * time.Minute
)
