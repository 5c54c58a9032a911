package status

import (
	"fmt"
	"slices"
	"time"
)

// State is the state of a part. The states are in ascending order of weight.
type State string

// The states.
const (
	OK       State = "ok"
	Unknown  State = "unknown"
	Degraded State = "degraded"
	Down     State = "down"
)

var weight = []State{OK, Unknown, Degraded, Down}

// worse returns the state with the greater weight.
func worse(a, b State) State {
	return weight[max(slices.Index(weight, a), slices.Index(weight, b))]
}

// Part is the state of one part, with the reasons as sentences if the state is not OK.
type Part struct {
	State   State
	Reasons []string
}

func (p *Part) add(state State, format string, args ...any) {
	p.State = worse(p.State, state)
	p.Reasons = append(p.Reasons, fmt.Sprintf(format, args...))
}

// Page is the public state of the service at a moment, from the last record.
type Page struct {
	Part
	// At is the time of the record, zero without a record. Age is the record's age.
	At  time.Time
	Age time.Duration
	// Record is the record, without parts if the record is too old.
	Record Record

	Chain, Launches, Distributions, Notices, Pins Part
}

// Evaluate returns the state of the service at now, according to a record.
func Evaluate(r Record, now time.Time) Page {
	p := Page{At: r.At, Record: r}
	if !r.At.IsZero() {
		p.Age = max(0, now.Sub(r.At))
	}
	if r.At.IsZero() || p.Age > Stale {
		p.Record = Record{At: r.At, LastSlot: r.LastSlot}
		unknown := Part{State: Unknown}
		p.Chain, p.Launches, p.Distributions, p.Notices, p.Pins = unknown, unknown, unknown, unknown, unknown
		p.Part = Part{State: Unknown, Reasons: []string{"The service's own check has not reported for more than 3 minutes."}}
		return p
	}
	p.Chain = r.Chain.judge()
	p.Launches = r.Launches.judge()
	p.Distributions = r.Runs.judge(r.At)
	p.Notices, p.Pins = r.Queues.judge()
	p.Part = Part{State: OK}
	for _, part := range []Part{p.Chain, p.Launches, p.Distributions, p.Notices, p.Pins} {
		p.State = worse(p.State, part.State)
		p.Reasons = append(p.Reasons, part.Reasons...)
	}
	return p
}

func (c *Chain) judge() (p Part) {
	p.State = OK
	switch {
	case c == nil:
		p.add(Unknown, "The Solana network could not be read.")
	case c.LagSeconds > int64(NodeDown.Seconds()):
		p.add(Down, "The newest final block of the Solana network is %d seconds old: launches and distributions wait for it.", c.LagSeconds)
	case c.LagSeconds > int64(NodeLag.Seconds()):
		p.add(Degraded, "The newest final block of the Solana network is %d seconds old: everything takes longer.", c.LagSeconds)
	}
	return p
}

func (l *Launches) judge() (p Part) {
	p.State = OK
	if l == nil {
		p.add(Unknown, "It could not be read what launches wait for.")
		return p
	}
	if l.NoncesFree < MinFreeNonces {
		p.add(Degraded, "Few durable nonces are free: a launch without one uses a blockhash, and has to be signed within about 30 seconds.")
	}
	if l.AuthorityLamports != nil && *l.AuthorityLamports < MinAuthority {
		p.add(Degraded, "The service has little SOL left to prepare launches with.")
	}
	if l.LateSeconds > int64(LaunchLate.Seconds()) {
		p.add(Degraded, "A launch or a transaction has waited for %d seconds for its check.", l.LateSeconds)
	}
	return p
}

func (r *Runs) judge(at time.Time) (p Part) {
	p.State = OK
	if r == nil {
		p.add(Unknown, "The distributions at work could not be read.")
		return p
	}
	if r.Overdue > MaxOverdue {
		p.add(Degraded, "%d distributions have made no progress for some minutes. They go on by themselves once the cause is gone.", r.Overdue)
	}
	if old := r.oldestSeconds(at); old > int64(RunOld.Seconds()) {
		p.add(Degraded, "A distribution has been at work for %d seconds.", old)
	}
	if r.Frozen > 0 {
		p.add(Degraded, "The distributions of %d tokens are stopped until an operator has looked into them. Nothing is lost.", r.Frozen)
	}
	if r.Reserved > 0 {
		p.add(Degraded, "Of %d tokens it is not known yet whether a payment has arrived. The amounts are set aside.", r.Reserved)
	}
	return p
}

func (q *Queues) judge() (notices, pins Part) {
	notices.State, pins.State = OK, OK
	if q == nil {
		notices.add(Unknown, "It could not be read how many notices wait.")
		pins.add(Unknown, "It could not be read how many files wait.")
		return notices, pins
	}
	if q.Notices > MaxBacklog {
		notices.add(Degraded, "%d notices wait to be sent.", q.Notices)
	}
	if q.Pins > MaxBacklog {
		pins.add(Degraded, "%d files wait to be pinned to IPFS.", q.Pins)
	}
	return notices, pins
}
