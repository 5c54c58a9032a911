package run

import "tokenlaunch.example/service/pkg/token/terms"

// Status is the progress of a run.
type Status string

// The states, in order. A run ends as settled, skipped or failed.
const (
	Opened       Status = "opened"
	InCollecting Status = "collecting"
	Snapshotting Status = "snapshotting"
	Burning      Status = "burning"
	Exchanging   Status = "exchanging"
	Paying       Status = "paying"
	Settled      Status = "settled"
	Skipped      Status = "skipped"
	Failed       Status = "failed"
)

// Over reports whether the run has ended.
func (s Status) Over() bool {
	switch s {
	case Settled, Skipped, Failed:
		return true
	case Opened, InCollecting, Snapshotting, Burning, Exchanging, Paying:
		return false
	}
	return false
}

// Status derives the progress: the first unfinished step.
func (r Run) Status() Status {
	switch {
	case r.End != nil && r.End.Failed:
		return Failed
	case r.End != nil && r.End.Code != "":
		return Skipped
	case r.End != nil:
		return Settled
	case r.Opening == nil:
		return Opened
	case r.Collecting == nil || !r.Collecting.Done:
		return InCollecting
	case r.Snapshot == nil || r.Split == nil:
		return Snapshotting
	case r.Burn == nil:
		return Burning
	case r.Exchange == nil || !r.Exchange.Done || r.Fuel == nil || !r.Fuel.Done:
		return Exchanging
	}
	return Paying
}

// exchanges reports whether the run sells tokens for the holders.
func (r Run) exchanges() bool { return !r.rewardIsToken() && r.Settings.BurnBps < terms.FullBps }
