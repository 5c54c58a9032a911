package status_test

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/distribution/status"
	"tokenlaunch.example/service/pkg/testkit/telemetrytest"
)

var (
	noon    = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	errAway = errors.New("away")
)

// fixture answers all that the monitor asks; the part that is named fails.
type fixture struct {
	fails  string
	before status.Record
	kept   *status.Record
}

func (w *fixture) err(part string) error {
	if w.fails == part {
		return errAway
	}
	return nil
}

func (w *fixture) Size(context.Context) (int, error)             { return 9, w.err("launches") }
func (w *fixture) Ready(context.Context, time.Time) (int, error) { return 7, nil }
func (w *fixture) Oldest(context.Context, time.Time) (time.Time, error) {
	return noon.Add(-30 * time.Second), nil
}

func (w *fixture) Active(context.Context, time.Time) (status.Runs, error) {
	return status.Runs{
		Doing: map[string]int{"paying": 2, "burning": 1}, Overdue: 1,
		OldestSlot: noon.Add(-10 * time.Minute), NewestSlot: noon.Add(-5 * time.Minute),
	}, w.err("runs")
}

func (w *fixture) FinalizedClock(context.Context) (uint64, time.Time, error) {
	return 99, noon.Add(-14 * time.Second), w.err("chain")
}
func (w *fixture) Balance(context.Context) (uint64, error) { return 5e8, w.err("authority") }
func (w *fixture) Waiting(context.Context) (notices, pins, givenUp int, err error) {
	return 1, 2, 3, w.err("queues")
}

func (w *fixture) Status(context.Context) (status.Record, error) { return w.before, w.err("before") }

func (w *fixture) PutStatus(_ context.Context, r status.Record) error {
	w.kept = &r
	return w.err("write")
}

func (w *fixture) look(t *testing.T) (map[string]float64, error) {
	t.Helper()
	var log telemetrytest.Log
	err := status.Monitor{
		Nonces: w, Launches: w, Ledger: w, Node: w, Queues: w, Store: w,
		Within: time.Second, Now: func() time.Time { return noon }, Log: log.Logger(slog.LevelError),
	}.Run(t.Context())
	return log.Sum(t), err
}

var gauges = map[string]float64{
	"SlotLagSeconds": 14, "Nonces": 9, "NoncesFree": 7, "OldestLaunchSeconds": 30, "AuthorityLamports": 5e8,
	"RunsActive": 3, "RunsOverdue": 1, "OldestRunSeconds": 600, "GivenUp": 3,
}

func TestLookMeasuresAndIsStored(t *testing.T) {
	w := &fixture{before: status.Record{LastSlot: noon.Add(-time.Hour)}}
	got, err := w.look(t)
	if err != nil || !reflect.DeepEqual(got, gauges) {
		t.Errorf("measured %v, %v, want %v", got, err, gauges)
	}
	if w.kept == nil || !w.kept.At.Equal(noon) || !w.kept.LastSlot.Equal(noon.Add(-5*time.Minute)) {
		t.Errorf("kept %+v", w.kept)
	}
}

// What cannot be read is unknown, the rest is measured and kept, and the invocation fails.
func TestUnreadablePartStopsNoOther(t *testing.T) {
	for part, lost := range map[string][]string{
		"chain": {"SlotLagSeconds"}, "launches": {"Nonces", "NoncesFree", "OldestLaunchSeconds", "AuthorityLamports"},
		"authority": {"AuthorityLamports"}, "runs": {"RunsActive", "RunsOverdue", "OldestRunSeconds"}, "queues": {"GivenUp"},
		"before": nil, "write": nil,
	} {
		t.Run(part, func(t *testing.T) {
			w := &fixture{fails: part}
			got, err := w.look(t)
			if !errors.Is(err, errAway) {
				t.Errorf("error %v", err)
			}
			if len(got) != len(gauges)-len(lost) {
				t.Errorf("measured %v, want all but %v", got, lost)
			}
			for _, name := range lost {
				if _, there := got[name]; there {
					t.Errorf("%s is measured", name)
				}
			}
			page := status.Evaluate(*w.kept, noon)
			if unknown := page.State == status.Unknown || strings.Contains(strings.Join(page.Reasons, " "), "could not be read"); len(lost) > 1 != unknown && part != "chain" && part != "queues" {
				t.Errorf("the page says %+v", page.Part)
			}
		})
	}
}

func TestPageShowsStatus(t *testing.T) {
	cents := uint64(1)
	well := func() status.Record {
		return status.Record{
			At: noon, Chain: &status.Chain{LagSeconds: 14}, Launches: &status.Launches{NoncesFree: 7},
			Runs: &status.Runs{}, Queues: &status.Queues{},
		}
	}
	for name, test := range map[string]struct {
		change func(*status.Record)
		want   status.State
	}{
		"well":               {func(*status.Record) {}, status.OK},
		"the node is late":   {func(r *status.Record) { r.Chain.LagSeconds = 91 }, status.Degraded},
		"the chain stopped":  {func(r *status.Record) { r.Chain.LagSeconds = 301 }, status.Down},
		"no nonces":          {func(r *status.Record) { r.Launches.NoncesFree = 1 }, status.Degraded},
		"no money":           {func(r *status.Record) { r.Launches.AuthorityLamports = &cents }, status.Degraded},
		"a launch waits":     {func(r *status.Record) { r.Launches.LateSeconds = 601 }, status.Degraded},
		"silence":            {func(r *status.Record) { r.Runs.Overdue = 1 }, status.Degraded},
		"an old run":         {func(r *status.Record) { r.Runs.OldestSlot = noon.Add(-3 * time.Hour) }, status.Degraded},
		"frozen":             {func(r *status.Record) { r.Runs.Frozen = 1 }, status.Degraded},
		"undecided":          {func(r *status.Record) { r.Runs.Reserved = 1 }, status.Degraded},
		"notices":            {func(r *status.Record) { r.Queues.Notices = 1001 }, status.Degraded},
		"pins":               {func(r *status.Record) { r.Queues.Pins = 1001 }, status.Degraded},
		"no recent record":   {func(r *status.Record) { r.At = noon.Add(-181 * time.Second) }, status.Unknown},
		"down beats unknown": {func(r *status.Record) { r.Chain.LagSeconds = 301; r.Runs = nil }, status.Down},
	} {
		r := well()
		test.change(&r)
		page := status.Evaluate(r, noon)
		if page.State != test.want || (len(page.Reasons) == 0) != (test.want == status.OK) {
			t.Errorf("%s: %+v, want %s", name, page.Part, test.want)
		}
	}
}
