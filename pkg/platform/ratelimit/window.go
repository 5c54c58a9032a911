// Package ratelimit is the arithmetic of an exact sliding window: which past
// requests still count, whether one more is allowed, what is left, and when to
// come back. It keeps no state; a Limiter does, with this arithmetic.
//
// A request is allowed when fewer than Limit counted requests lie in the window
// that ends now. The window is open at its old end: a place is free again
// exactly one Window after it was taken.
package ratelimit

import (
	"context"
	"slices"
	"time"
)

// Precision is the resolution at which requests are told apart in time. Every
// time that a Limiter records is a multiple of it.
const Precision = time.Microsecond

// Limiter counts requests. A rule and a key (a wallet, or what AddressKey makes
// of an address) name one bucket.
type Limiter interface {
	// Spend counts one request when its bucket has room, and says what was
	// decided. An error means that nothing could be decided, because the store
	// did not answer; then the request may or may not have been counted.
	Spend(ctx context.Context, rule Rule, key string) (Decision, error)
	// Refund uncounts the request of a ticket. The ticket of a refused request
	// counted nothing, and giving it back does nothing.
	Refund(ctx context.Context, ticket Ticket) error
}

// Ticket identifies one counted request, so that it can be given back. The zero
// Ticket stands for no counted request.
type Ticket struct {
	Rule  Rule
	Key   string
	Slot  int    // the place in the bucket, from 0 to Rule.Limit-1
	Stamp string // what the store wrote there, unlike any other claim
}

// Decision is the answer to one request. Remaining is what is left after it.
// Reset is the time, rounded up to a whole second, at which the oldest counted
// request leaves the window. RetryAfter, in whole seconds and at least one, is
// zero unless the request was refused.
type Decision struct {
	Rule       Rule
	Allowed    bool
	Remaining  int
	Reset      time.Time
	RetryAfter time.Duration
	Ticket     Ticket
}

// Cutoff is the latest time at which a claim no longer counts at now.
func (r Rule) Cutoff(now time.Time) time.Time {
	return now.Truncate(Precision).Add(-r.Window)
}

// Counts says whether a claim made at the given time still counts at now.
func (r Rule) Counts(claim, now time.Time) bool { return claim.After(r.Cutoff(now)) }

// Allow is the decision on a request that was counted. The claims are those
// of its bucket, its own among them; those that no longer count are ignored.
func (r Rule) Allow(now time.Time, claims []time.Time) Decision {
	used, oldest := r.counted(now, claims)
	return Decision{
		Rule:      r,
		Allowed:   true,
		Remaining: max(0, r.Limit-used),
		Reset:     ceilSecond(oldest.Add(r.Window)),
	}
}

// Refuse is the decision on a request that found its bucket full of claims.
func (r Rule) Refuse(now time.Time, claims []time.Time) Decision {
	_, oldest := r.counted(now, claims)
	free := oldest.Add(r.Window)
	wait := free.Sub(now.Truncate(Precision))
	return Decision{
		Rule:       r,
		Reset:      ceilSecond(free),
		RetryAfter: max(time.Second, (wait + time.Second - 1).Truncate(time.Second)),
	}
}

// Unknown is what is told to a request that goes on although the store did not
// answer: nothing is known to be counted against it.
func (r Rule) Unknown(now time.Time) Decision {
	return Decision{
		Rule:      r,
		Allowed:   true,
		Remaining: r.Limit,
		Reset:     ceilSecond(now.Truncate(Precision).Add(r.Window)),
	}
}

// counted gives the number of claims that count at now, and the oldest of them:
// now itself when there is none.
func (r Rule) counted(now time.Time, claims []time.Time) (int, time.Time) {
	counting := slices.DeleteFunc(slices.Clone(claims), func(c time.Time) bool { return !r.Counts(c, now) })
	if len(counting) == 0 {
		return 0, now.Truncate(Precision)
	}
	return len(counting), slices.MinFunc(counting, time.Time.Compare)
}

func ceilSecond(t time.Time) time.Time {
	if whole := t.Truncate(time.Second); whole.Before(t) {
		return whole.Add(time.Second)
	}
	return t
}
