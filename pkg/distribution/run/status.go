package run

import "tokenlaunch.example/service/pkg/token/terms"

// Status says how far a run has come.
type Status string

// The states, in their order; a run ends as settled, skipped or failed.
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

// Over says whether nothing more happens in a run.
func (s Status) Over() bool {
	switch s {
	case Settled, Skipped, Failed:
		return true
	case Opened, InCollecting, Snapshotting, Burning, Exchanging, Paying:
		return false
	}
	return false
}

// Status derives how far the run has come: the first of its steps that is not
// done, in their order.
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

// exchanges says whether anything is to be sold for the holders.
func (r Run) exchanges() bool { return !r.rewardIsToken() && r.Settings.BurnBps < terms.FullBps }
