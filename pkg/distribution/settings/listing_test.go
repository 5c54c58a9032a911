package settings_test

import (
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// lists are the entries of a token in the lists of intervals.
type lists map[settings.Listing]time.Time

// apply makes the changes of a plan. It fails if the plan begins with other entries than the lists
// have.
func (l lists) apply(t interface{ Fatalf(string, ...any) }, plan settings.Plan) {
	for _, e := range plan.Before {
		if until, found := l[e.Listing]; !found || !until.Equal(e.Until) {
			t.Fatalf("the plan begins with %+v, and the lists have %s, %v", e, until, found)
		}
		delete(l, e.Listing)
	}
	for _, e := range plan.After {
		l[e.Listing] = e.Until
	}
}

// due reports how many entries have a slot.
func (l lists) due(interval terms.Interval, slot time.Time) (n int) {
	for e, until := range l {
		if e.Interval == interval && e.From.Before(slot) && (until.IsZero() || !until.Before(slot)) {
			n++
		}
	}
	return n
}

// TestListsFollowVersionInForce: whatever is changed when, with a delay and without, the lists have a
// token in exactly the slots of the settings in force, once.
func TestListsFollowVersionInForce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		now := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
		s := terms.Default(solana.PublicKey{1})
		s.ChangeDelay = rapid.SampledFrom([]terms.Delay{terms.NoDelay, terms.Delay24Hours, terms.Delay7Days}).Draw(r, "delay")
		c := settings.Current{Token: token.Record{Status: token.Confirmed, Settings: s}, Versions: terms.Versions{{Settings: s, Number: 1}}}
		began := settings.Lists(token.Confirmed, s, now, s, now, false)
		l := lists{}
		l.apply(r, began)
		c.DueSince = began.DueSince
		for range rapid.IntRange(1, 30).Draw(r, "changes") {
			now = now.Add(time.Duration(rapid.IntRange(0, 2_000).Draw(r, "minutes")) * time.Minute)
			s := c.Versions.Newest().Settings
			switch rapid.IntRange(0, 3).Draw(r, "field") {
			case 0:
				s.Enabled = !s.Enabled
			case 1:
				s.DeveloperFeeBps = rapid.IntRange(0, 3).Draw(r, "fee")
			default:
				s.Interval = rapid.SampledFrom([]terms.Interval{terms.EveryHour, terms.Every6Hours, terms.Every24Hours}).Draw(r, "interval")
			}
			next := c.Versions.Next(s, now, time.Time{})
			plan := c.Plan(next)
			l.apply(r, plan)
			c.Versions, c.DueSince, c.DueNext = c.Versions.Change(next, time.Time{}), plan.DueSince, plan.DueNext
			if pending := c.Versions.Pending(now); (plan.Held != nil) != pending || pending && *plan.Held != c.Versions.Held(now) {
				r.Fatalf("held %+v, pending %v", plan.Held, pending)
			}
			for slot := terms.EveryHour.Next(now); slot.Before(now.Add(8 * 24 * time.Hour)); slot = slot.Add(time.Hour) {
				at, _ := c.Versions.At(slot)
				for _, interval := range []terms.Interval{terms.EveryHour, terms.Every6Hours, terms.Every24Hours} {
					want := 0
					if at.Enabled && at.Interval == interval {
						want = 1
					}
					if got := l.due(interval, slot); got != want {
						r.Fatalf("at %s: due %s %d times, want %d: %+v, %+v", slot, interval, got, want, l, c.Versions)
					}
				}
			}
		}
	})
}
