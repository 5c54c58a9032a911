// Package ratelimit computes an exact sliding window: the past requests that still count, the
// decision on the next request, the remaining number, and the time to retry. The package has no
// state. A Limiter stores the state and uses these computations.
//
// A request is allowed if fewer than Limit counted requests are in the window that ends now. The
// window is open at the old end: a place is free again exactly one Window after the claim of the
// place.
package ratelimit

import (
	"context"
	"slices"
	"time"
)

// Precision is the resolution of times. Every time that a Limiter records is a multiple of
// Precision.
const Precision = time.Microsecond

// Limiter counts requests. A rule and a key (a wallet, or the result of AddressKey for an address)
// identify one bucket.
type Limiter interface {
	// Spend counts one request if the bucket has room, and returns the decision. It returns an
	// error if the store does not respond. The request may then have been counted or not.
	Spend(ctx context.Context, rule Rule, key string) (Decision, error)
	// Refund uncounts the request of a ticket. The ticket of a rejected request has no effect.
	Refund(ctx context.Context, ticket Ticket) error
}

// Ticket identifies one counted request, so that the request can be refunded. The zero Ticket
// represents no counted request.
type Ticket struct {
	Rule  Rule
	Key   string
	Slot  int    // the index in the bucket, from 0 to Rule.Limit-1
	Stamp string // the content of the slot, unique to the claim
}

// Decision is the decision on one request. Remaining is the number of allowed requests after this
// request. Reset is the time, rounded up to a whole second, at which the oldest counted request
// leaves the window. RetryAfter, in whole seconds and at least one, is zero unless the request was
// rejected.
type Decision struct {
	Rule       Rule
	Allowed    bool
	Remaining  int
	Reset      time.Time
	RetryAfter time.Duration
	Ticket     Ticket
}

// Cutoff returns the latest time of a claim that no longer counts at now.
func (r Rule) Cutoff(now time.Time) time.Time {
	return now.Truncate(Precision).Add(-r.Window)
}

// Counts reports whether a claim at the given time still counts at now.
func (r Rule) Counts(claim, now time.Time) bool { return claim.After(r.Cutoff(now)) }

// Allow returns the decision on a counted request. claims are the claims of the bucket, including
// the request's own claim. Claims that no longer count are ignored.
func (r Rule) Allow(now time.Time, claims []time.Time) Decision {
	used, oldest := r.counted(now, claims)
	return Decision{
		Rule:      r,
		Allowed:   true,
		Remaining: max(0, r.Limit-used),
		Reset:     ceilSecond(oldest.Add(r.Window)),
	}
}

// Refuse returns the decision on a request whose bucket is full of claims.
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

// Unknown returns the decision for a request that continues although the store did not respond. No
// request is known to count.
func (r Rule) Unknown(now time.Time) Decision {
	return Decision{
		Rule:      r,
		Allowed:   true,
		Remaining: r.Limit,
		Reset:     ceilSecond(now.Truncate(Precision).Add(r.Window)),
	}
}

// counted returns the number of claims that count at now, and the oldest of these claims, or now if
// no claim counts.
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
