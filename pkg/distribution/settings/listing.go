package settings

import (
	"time"

	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Listing is the key of a token's entry in the list of an interval.
type Listing struct {
	Interval terms.Interval
	From     time.Time
}

// Entry is an entry in the list of an interval. The token is due in the slots after From, up to Until.
// A zero Until is open.
type Entry struct {
	Listing

	Until time.Time
}

// Plan is a change of a token's entries in the lists of intervals, and of the times in the record.
type Plan struct {
	Before, After []Entry
	// DueSince and DueNext are as in Current, after the change.
	DueSince, DueNext time.Time
	// Held is the version in force, if the new version is pending; otherwise nil.
	Held *terms.Version
}

// Plan returns the entries before and after a change. An entry that has ended does not change. The
// entry of a pending version, which no slot has used, is removed if the version is replaced.
func (c Current) Plan(after terms.Version) Plan {
	at := c.Versions.HoldsFrom(after.OrderedAt, c.Opened)
	held, since := c.Versions.Held(at), c.DueSince
	before := c.Versions.Pending(at)
	if !before && !c.DueNext.IsZero() { // the version that was pending is in force
		since = c.DueNext
	}
	pending := c.Versions.Change(after, c.Opened).Pending(at)
	plan := Lists(c.Token.Status, held.Settings, since, after.Settings, after.From, pending)
	if pending {
		plan.Held = &held
	}
	was := Lists(c.Token.Status, held.Settings, since, held.Settings, at, false)
	if before && !c.DueNext.IsZero() {
		was = Lists(c.Token.Status, held.Settings, since, c.Versions.Newest().Settings, c.DueNext, true)
	}
	plan.Before = was.After
	if c.HandedOver {
		plan.After = nil
	}
	return plan
}

// Lists returns the entries of a token whose settings change at from, without the entries before. The
// token was last listed, or removed from the lists, at since. Despite clock differences between
// functions, the token never moves before since. pending reports whether from is yet to come.
func Lists(status token.Status, held terms.Settings, since time.Time, after terms.Settings, from time.Time, pending bool) Plan {
	plan := Plan{DueSince: since}
	was, is := listed(status, held) && !since.IsZero(), listed(status, after)
	if was {
		plan.After = append(plan.After, Entry{Listing: Listing{held.Interval, since}})
	}
	if was == is && (!is || held.Interval == after.Interval) {
		return plan
	}
	if from.Before(since) {
		from = since
	}
	if was {
		plan.After[0].Until = from
	}
	if is {
		plan.After = append(plan.After, Entry{Listing: Listing{after.Interval, from}})
	}
	if pending {
		plan.DueNext = from
	} else {
		plan.DueSince = from
	}
	return plan
}

// listed reports whether a token with this status and these settings is on the list of the interval.
func listed(status token.Status, s terms.Settings) bool {
	return status == token.Confirmed && s.Enabled
}
