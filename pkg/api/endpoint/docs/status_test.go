package docs_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/api/endpoint/docs"
	"tokenlaunch.example/service/pkg/distribution/status"
	"tokenlaunch.example/service/pkg/testkit/docstest"
)

type record struct {
	status.Record
	err error
}

func (r record) Status(context.Context) (status.Record, error) { return r.Record, r.err }

func TestStatusMatchesMonitor(t *testing.T) {
	well := status.Record{
		At: noon.Add(-20 * time.Second), Chain: &status.Chain{Slot: 99, LagSeconds: 12},
		Launches: &status.Launches{Nonces: 9, NoncesFree: 7},
		Runs:     &status.Runs{Doing: map[string]int{"paying": 2}, OldestSlot: noon.Add(-time.Minute)},
		Queues:   &status.Queues{Pins: 3},
	}
	late := well
	late.Chain = &status.Chain{Slot: 9, LagSeconds: 400}
	blind := well
	blind.Runs = nil
	old := well
	old.At = noon.Add(-4 * time.Minute)
	for name, test := range map[string]struct {
		record status.Record
		status string
		active any
	}{
		"all is well":            {well, "ok", 2.0},
		"the chain stopped":      {late, "down", 2.0},
		"a part is unknown":      {blind, "unknown", nil},
		"the record is old":      {old, "unknown", nil},
		"there was never a look": {status.Record{}, "unknown", nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := get(t, start(t, func(c *docs.Config) { c.Status = record{Record: test.record} }), "/status")
			if w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "public, max-age=10" {
				t.Errorf("GET /status = %d %v, want 200 for ten seconds", w.Code, w.Header())
			}
			if err := docstest.Check("getStatus", 200, w.Header(), w.Body.Bytes()); err != nil {
				t.Error(err)
			}
			var got struct {
				Status  string
				Reasons []string
				Parts   struct{ Distributions struct{ Active any } }
			}
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			if got.Status != test.status || (len(got.Reasons) == 0) != (test.status == "ok") || got.Parts.Distributions.Active != test.active {
				t.Errorf("GET /status = %s, want %s with %d active distributions", w.Body, test.status, test.active)
			}
		})
	}
	if w := get(t, start(t, func(c *docs.Config) { c.Status = record{err: errors.New("away")} }), "/status"); w.Code != http.StatusInternalServerError {
		t.Errorf("%d when the record cannot be read", w.Code)
	}
}
