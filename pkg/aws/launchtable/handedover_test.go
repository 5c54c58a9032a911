package launchtable_test

import (
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/handover"
	"tokenlaunch.example/service/pkg/token/terms"
)

// TestHandedOverTokenIsNotQueued: the event of a finished hand-over takes the token off the schedule's list,
// once and repeated. Slots before stay, other tokens stay, and no later change of settings lists the token.
func TestHandedOverTokenIsNotQueued(t *testing.T) {
	b := openBooks(t)
	handed, other := b.launch(t, key()), b.launch(t, key())
	hour, minutes := terms.EveryHour, terms.Every5Minutes
	before := hour.Next(b.now)
	b.now = before.Add(time.Minute)
	unlister := launchtable.Unlister{Tokens: b.tokens}
	done := event.Event{Kind: event.HandoverDone, At: b.now, Token: token.Record{Mint: handed.Mint}}
	must.Do(t, unlister.Tell(t.Context(), event.Event{Kind: event.HandoverOrdered, At: b.now, Token: done.Token}))
	if got := b.dueIn(t, hour, hour.Next(b.now), handed.Mint); got != 1 {
		t.Fatalf("an order alone: due %d times, want 1", got)
	}
	store := ledgertable.Handovers{Client: b.tokens.Client, Table: b.settings.Ledger}
	must.Do(t, store.SaveHandover(t.Context(), handed.Mint, handover.State{Order: handover.Order{Number: 1}, DoneAt: b.now}, time.Time{}))
	for _, later := range []time.Duration{0, 3 * time.Hour} { // a repeated event prolongs nothing
		done.At = b.now.Add(later)
		must.Do(t, unlister.Tell(t.Context(), done))
		for at, want := range map[time.Time]int{before: 1, hour.Next(b.now): 0, hour.Next(b.now.Add(2 * time.Hour)): 0} {
			if got := b.dueIn(t, hour, at, handed.Mint); got != want {
				t.Errorf("the slot %s: due %d times, want %d", at, got, want)
			}
		}
	}
	for _, patch := range []terms.Patch{{Interval: &minutes}, {Enabled: new(false)}, {Enabled: new(true)}, {Interval: &hour}} {
		must.Do(t, b.change(t.Context(), handed.Mint, patch))
		b.now = b.now.Add(2 * time.Hour)
		for _, interval := range []terms.Interval{hour, minutes} {
			if got := b.dueIn(t, interval, interval.Next(b.now), handed.Mint); got != 0 {
				t.Errorf("after %+v: due %d times every %s", patch, got, interval)
			}
		}
	}
	if got := b.dueIn(t, hour, hour.Next(b.now), other.Mint); got != 1 {
		t.Errorf("another token: due %d times, want 1", got)
	}
	// An unknown token is not a failure, because the stream would repeat the event for a day.
	done.Token.Mint = key()
	must.Do(t, unlister.Tell(t.Context(), done))
}
