package status

import "time"

// The limits of normal operation. The stack's alarms on the same values use these limits, so that
// page and alarms agree.
const (
	// NodeLag is the maximum age of the newest finalized block. Beyond NodeDown, launches and
	// distributions wait.
	NodeLag  = 90 * time.Second
	NodeDown = 5 * time.Minute
	// MinFreeNonces is the minimum number of nonce accounts for concurrent launches.
	MinFreeNonces = 2
	// MinAuthority is the rent of about 69 nonce accounts, in lamports.
	MinAuthority = 100_000_000
	// LaunchLate is the maximum delay of the reconciler with a launch or a transaction.
	LaunchLate = 10 * time.Minute
	// RunOld is the age of a slot at which the slot's run should be over.
	RunOld = 2 * time.Hour
	// MaxOverdue is the maximum number of runs without recent progress.
	MaxOverdue = 0
	// MaxBacklog is the maximum number of waiting notices or files.
	MaxBacklog = 1000
	// Stale is the age at which a record is not used any more. The monitor writes a record every
	// minute.
	Stale = 3 * time.Minute
)
