package status

import "tokenlaunch.example/service/pkg/platform/metric"

// The monitor's measurements of every minute.
var (
	NoncesFree          = metric.New("NoncesFree", metric.Count, "nonce accounts that a launch can have at once")
	NonceAccounts       = metric.New("Nonces", metric.Count, "nonce accounts")
	AuthorityLamports   = metric.New("AuthorityLamports", metric.None, "lamports of the nonce authority, which pays for nonce accounts")
	RunsActive          = metric.New("RunsActive", metric.Count, "runs at work")
	RunsOverdue         = metric.New("RunsOverdue", metric.Count, "runs without progress for longer than they may be silent")
	OldestRunSeconds    = metric.New("OldestRunSeconds", metric.Seconds, "age of the slot of the oldest run at work")
	OldestLaunchSeconds = metric.New("OldestLaunchSeconds", metric.Seconds, "how long the reconciler is late with its oldest launch or transaction")
	SlotLagSeconds      = metric.New("SlotLagSeconds", metric.Seconds, "age of the newest finalized block")
	GivenUp             = metric.New("GivenUp", metric.Count, "messages in dead-letter queues")
)
