package docs

import (
	"context"
	"net/http"
	"time"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/distribution/status"
)

// statusFor is the caching of the status, which is updated every minute.
const statusFor = "public, max-age=10"

// StatusStore reads the record of the monitor.
type StatusStore interface {
	Status(ctx context.Context) (status.Record, error)
}

// statusAnswer is the response to GET /status. Unknown values are null.
type statusAnswer struct {
	Status     status.State `json:"status"`
	Reasons    []string     `json:"reasons"`
	At         *string      `json:"at"`
	AgeSeconds *int64       `json:"ageSeconds"`
	Parts      statusParts  `json:"parts"`
}

type statusParts struct {
	API           apiStatus          `json:"api"`
	Chain         chainStatus        `json:"chain"`
	Launches      launchStatus       `json:"launches"`
	Distributions distributionStatus `json:"distributions"`
	Notices       backlogStatus      `json:"notices"`
	Pins          backlogStatus      `json:"pins"`
}

type apiStatus struct {
	Status status.State `json:"status"`
}

type chainStatus struct {
	Status        status.State `json:"status"`
	FinalizedSlot *uint64      `json:"finalizedSlot"`
	AgeSeconds    *int64       `json:"ageSeconds"`
}

type launchStatus struct {
	Status               status.State `json:"status"`
	NoncesFree           *int         `json:"noncesFree"` // always nil, deprecated
	OldestWaitingSeconds *int64       `json:"oldestWaitingSeconds"`
}

type distributionStatus struct {
	Status            status.State   `json:"status"`
	Active            *int           `json:"active"`
	Doing             map[string]int `json:"doing"`
	Overdue           *int           `json:"overdue"`
	OldestScheduledAt *string        `json:"oldestScheduledAt"`
	OldestSlot        *string        `json:"oldestSlot"` // the deprecated name of oldestScheduledAt
	LastScheduledAt   *string        `json:"lastScheduledAt"`
	LastSlot          *string        `json:"lastSlot"` // the deprecated name of lastScheduledAt
	FrozenTokens      *int           `json:"frozenTokens"`
	UndecidedTokens   *int           `json:"undecidedTokens"`
	UndecidedLamports *uint64        `json:"undecidedLamports"`
	// Complete is false if the service has more than the monitor counted.
	Complete bool `json:"complete"`
}

type backlogStatus struct {
	Status  status.State `json:"status"`
	Waiting *int         `json:"waiting"`
}

func (c Config) status(w http.ResponseWriter, r *http.Request) error {
	record, err := c.Status.Status(r.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", statusFor)
	return apigw.WriteJSON(w, http.StatusOK, statusOf(status.Evaluate(record, c.Now())))
}

func statusOf(p status.Page) statusAnswer {
	s := statusAnswer{Status: p.State, Reasons: append([]string{}, p.Reasons...), At: apigw.TimeOrNull(p.At)}
	if !p.At.IsZero() {
		age := int64(p.Age / time.Second)
		s.AgeSeconds = &age
	}
	// The response itself shows that the API works.
	s.Parts.API.Status = status.OK
	s.Parts.Chain.Status, s.Parts.Launches.Status, s.Parts.Distributions.Status = p.Chain.State, p.Launches.State, p.Distributions.State
	s.Parts.Notices.Status, s.Parts.Pins.Status = p.Notices.State, p.Pins.State
	if chain := p.Record.Chain; chain != nil {
		s.Parts.Chain.FinalizedSlot, s.Parts.Chain.AgeSeconds = &chain.Slot, &chain.LagSeconds
	}
	if launches := p.Record.Launches; launches != nil {
		s.Parts.Launches.OldestWaitingSeconds = &launches.LateSeconds
	}
	d := &s.Parts.Distributions
	d.LastScheduledAt = apigw.TimeOrNull(p.Record.LastSlot)
	d.LastSlot = d.LastScheduledAt
	if runs := p.Record.Runs; runs != nil {
		active := runs.Active()
		d.Active, d.Overdue, d.Doing, d.OldestScheduledAt, d.Complete = &active, &runs.Overdue, runs.Doing, apigw.TimeOrNull(runs.OldestSlot), !runs.More
		d.OldestSlot = d.OldestScheduledAt
		d.FrozenTokens, d.UndecidedTokens, d.UndecidedLamports = &runs.Frozen, &runs.Reserved, &runs.ReservedLamports
	}
	if queues := p.Record.Queues; queues != nil {
		s.Parts.Notices.Waiting, s.Parts.Pins.Waiting = &queues.Notices, &queues.Pins
	}
	return s
}
