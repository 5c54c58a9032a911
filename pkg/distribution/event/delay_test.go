package event_test

import (
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// TestPendingChangeIsToldAtItsOrder: the event of a change that comes into force later is of the time of
// the order, because messages are in the order of their events.
func TestPendingChangeIsToldAtItsOrder(t *testing.T) {
	noon := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for delay, want := range map[terms.Delay]time.Time{terms.NoDelay: noon.Add(time.Hour), terms.Delay24Hours: noon} {
		before := terms.Version{Settings: terms.Settings{ChangeDelay: delay}, Number: 1}
		after := terms.Version{Settings: terms.Settings{ChangeDelay: delay, BurnBps: 1}, Number: 2, OrderedAt: noon, From: noon.Add(time.Hour)}
		if e, ok := event.Changed(token.Record{}, before, after); !ok || !e.At.Equal(want) {
			t.Errorf("with the delay %s the event is of %s, want %s", delay, e.At, want)
		}
	}
}
