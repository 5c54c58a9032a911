package ratelimittest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/api/limits"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
)

// Clock is a clock that a test sets.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock at a time that is not a whole second.
func NewClock() *Clock { return &Clock{now: time.Date(2026, 3, 1, 12, 0, 0, 123_456_789, time.UTC)} }

// Now returns the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Contract runs the tests that every limiter must pass. The limiter reads the clock. The limiter's
// buckets are initially empty.
func Contract(t *testing.T, newLimiter func(t *testing.T, now func() time.Time) ratelimit.Limiter) {
	t.Helper()
	small := ratelimit.Rule{Name: "small", Limit: 3, Window: 10 * time.Second}
	for name, test := range map[string]func(*bench){
		"admits the limit and refuses the next":   func(b *bench) { admitsLimit(b, small) },
		"a place is free when its window is over": func(b *bench) { freesExactly(b, small) },
		"who waits RetryAfter gets in":            func(b *bench) { retryAfterIsTrue(b, small) },
		"keys and rules have their own buckets":   func(b *bench) { bucketsAreApart(b, small) },
		"what is given back is not counted":       func(b *bench) { givesBack(b, small) },
		"a late give-back takes no other's place": func(b *bench) { lateGiveBack(b, small) },
		"agrees with counting by hand":            agreesWithModel,
		"200 at once never pass the limit":        neverPassesLimit,
	} {
		t.Run(name, func(t *testing.T) {
			clock := NewClock()
			test(&bench{T: t, clock: clock, limiter: newLimiter(t, clock.Now)})
		})
	}
}

type bench struct {
	*testing.T

	clock   *Clock
	limiter ratelimit.Limiter
}

func (b *bench) take(rule ratelimit.Rule, key string) ratelimit.Decision {
	b.Helper()
	d, err := b.limiter.Spend(b.Context(), rule, key)
	if err != nil {
		b.Fatalf("take from %s: %v", rule.Name, err)
	}
	if d.Rule != rule {
		b.Fatalf("decision names rule %v, want %v", d.Rule, rule)
	}
	return d
}

func (b *bench) wantAllowed(d ratelimit.Decision, want bool) {
	b.Helper()
	if d.Allowed != want {
		b.Fatalf("allowed = %v, want %v (%+v)", d.Allowed, want, d)
	}
}

func admitsLimit(b *bench, rule ratelimit.Rule) {
	reset := b.clock.Now().Add(rule.Window).Truncate(time.Second).Add(time.Second)
	for i := range rule.Limit {
		d := b.take(rule, "key")
		b.wantAllowed(d, true)
		if d.Remaining != rule.Limit-1-i || !d.Reset.Equal(reset) || d.RetryAfter != 0 {
			b.Fatalf("request %d: %+v, want %d left, reset at %s", i+1, d, rule.Limit-1-i, reset)
		}
	}
	b.clock.Advance(time.Second)
	d := b.take(rule, "key")
	b.wantAllowed(d, false)
	if d.Remaining != 0 || d.RetryAfter != rule.Window-time.Second || !d.Reset.Equal(reset) {
		b.Fatalf("refusal: %+v, want RetryAfter %s, reset at %s", d, rule.Window-time.Second, reset)
	}
	if d.Ticket != (ratelimit.Ticket{}) {
		b.Fatalf("a refused request has the ticket %+v", d.Ticket)
	}
}

func freesExactly(b *bench, rule ratelimit.Rule) {
	b.take(rule, "key")
	b.clock.Advance(time.Second)
	for range rule.Limit - 1 {
		b.take(rule, "key")
	}
	b.clock.Advance(rule.Window - time.Second - ratelimit.Precision)
	b.wantAllowed(b.take(rule, "key"), false)
	b.clock.Advance(ratelimit.Precision)
	b.wantAllowed(b.take(rule, "key"), true)
	b.wantAllowed(b.take(rule, "key"), false)
}

func retryAfterIsTrue(b *bench, rule ratelimit.Rule) {
	for range rule.Limit {
		b.take(rule, "key")
		b.clock.Advance(300 * time.Millisecond)
	}
	d := b.take(rule, "key")
	b.wantAllowed(d, false)
	// Rejected requests are not counted, so they do not move the end of the wait.
	for range int(d.RetryAfter/time.Second) - 1 {
		b.clock.Advance(time.Second)
		b.wantAllowed(b.take(rule, "key"), false)
	}
	b.clock.Advance(time.Second)
	b.wantAllowed(b.take(rule, "key"), true)
}

func bucketsAreApart(b *bench, rule ratelimit.Rule) {
	for range rule.Limit {
		b.take(rule, "one")
	}
	other := rule
	other.Name = "other"
	b.wantAllowed(b.take(rule, "one"), false)
	b.wantAllowed(b.take(rule, "two"), true)
	b.wantAllowed(b.take(other, "one"), true)
}

func givesBack(b *bench, rule ratelimit.Rule) {
	var tickets []ratelimit.Ticket
	for range rule.Limit {
		tickets = append(tickets, b.take(rule, "key").Ticket)
	}
	for range 2 { // the second refund has no effect
		if err := b.limiter.Refund(b.Context(), tickets[1]); err != nil {
			b.Fatalf("give back: %v", err)
		}
	}
	b.wantAllowed(b.take(rule, "key"), true)
	b.wantAllowed(b.take(rule, "key"), false)
	if err := b.limiter.Refund(b.Context(), ratelimit.Ticket{}); err != nil {
		b.Fatalf("give back nothing: %v", err)
	}
}

func lateGiveBack(b *bench, rule ratelimit.Rule) {
	var tickets []ratelimit.Ticket
	for range rule.Limit {
		tickets = append(tickets, b.take(rule, "key").Ticket)
	}
	b.clock.Advance(rule.Window)
	for range rule.Limit {
		b.wantAllowed(b.take(rule, "key"), true)
	}
	for _, ticket := range tickets {
		if err := b.limiter.Refund(b.Context(), ticket); err != nil {
			b.Fatalf("give back: %v", err)
		}
	}
	b.wantAllowed(b.take(rule, "key"), false)
}

// agreesWithModel compares every result of a long random run with a model, a list of times in
// microseconds.
func agreesWithModel(b *bench) {
	rule := ratelimit.Rule{Name: "model", Limit: 4, Window: 7 * time.Second}
	seed := rand.Uint64()                    //nolint:gosec // G404: a test's random run
	random := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // G404: a test's random run
	var counted []int64
	var tickets []ratelimit.Ticket
	for step := range 300 {
		b.clock.Advance(time.Duration(random.Int64N(int64(2500 * time.Millisecond))))
		now, window := b.clock.Now().UnixMicro(), rule.Window.Microseconds()
		for len(counted) > 0 && counted[0] <= now-window {
			counted, tickets = counted[1:], tickets[1:]
		}
		if len(counted) > 0 && random.IntN(5) == 0 {
			i := random.IntN(len(counted))
			if err := b.limiter.Refund(b.Context(), tickets[i]); err != nil {
				b.Fatalf("seed %d, step %d: give back: %v", seed, step, err)
			}
			counted, tickets = slices.Delete(counted, i, i+1), slices.Delete(tickets, i, i+1)
		}
		allowed := len(counted) < rule.Limit
		d := b.take(rule, "key")
		if allowed {
			counted, tickets = append(counted, now), append(tickets, d.Ticket)
		}
		end := counted[0] + window
		var wait int64
		if !allowed {
			wait = (end - now + 999_999) / 1_000_000
		}
		want := fmt.Sprint(allowed, rule.Limit-len(counted), (end+999_999)/1_000_000, wait)
		if got := fmt.Sprint(d.Allowed, d.Remaining, d.Reset.Unix(), int64(d.RetryAfter/time.Second)); got != want {
			b.Fatalf("seed %d, step %d: allowed, remaining, reset, retry after = %s, want %s", seed, step, got, want)
		}
	}
}

// neverPassesLimit lets 200 clients spend at one key concurrently, for every limit and window of
// the rules.
func neverPassesLimit(b *bench) {
	const clients = 200
	tried := map[ratelimit.Rule]bool{}
	for _, rule := range limits.Rules() {
		rule.Name = "crowded"
		if tried[rule] {
			continue
		}
		tried[rule] = true
		rule.Name = fmt.Sprintf("crowded-%d-%s", rule.Limit, rule.Window)
		passed := make([]bool, clients)
		errs := make([]error, clients)
		start := make(chan struct{})
		var wg sync.WaitGroup
		for i := range clients {
			wg.Go(func() {
				<-start
				d, err := b.limiter.Spend(context.WithoutCancel(b.Context()), rule, "crowd")
				passed[i], errs[i] = d.Allowed, err
			})
		}
		close(start)
		wg.Wait()
		allowed := 0
		for i := range clients {
			if errs[i] != nil {
				b.Fatalf("%s: %v", rule.Name, errs[i])
			}
			if passed[i] {
				allowed++
			}
		}
		if allowed != min(clients, rule.Limit) {
			b.Errorf("%s: %d of %d passed, want %d", rule.Name, allowed, clients, rule.Limit)
		}
	}
}
