package windowtable_test

import (
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

// spend counts requests until one is rejected, at most a number of them.
func spend(t *testing.T, limiter windowtable.Limiter, rule ratelimit.Rule, key string, limit int) (allowed int, last ratelimit.Decision) {
	t.Helper()
	for range limit {
		var err error
		if last, err = limiter.Spend(t.Context(), rule, key); err != nil {
			t.Fatal(err)
		}
		if !last.Allowed {
			return allowed, last
		}
		allowed++
	}
	return allowed, last
}

// TestRaisedLimitHoldsForOneBucketUntilItsEnd tests that the caller sees the raised limit and
// others the rule's, and that the rule applies again after the end or an operator's order.
func TestRaisedLimitHoldsForOneBucketUntilItsEnd(t *testing.T) {
	clock := ratelimittest.NewClock()
	limiter, _ := windows(t, clock.Now)
	rule := ratelimit.Rule{Name: "create", Limit: 3, Window: time.Hour}
	raised := windowtable.Bound{Limit: 8, Until: clock.Now().Add(24 * time.Hour).Truncate(time.Second), By: "arn:aws:iam::1:user/ana", Why: "a partner"}
	if n, _ := spend(t, limiter, rule, "partner", 9); n != 3 {
		t.Fatalf("%d requests before, want 3", n)
	}
	if err := limiter.Set(t.Context(), rule, "partner", raised); err != nil {
		t.Fatal(err)
	}
	if got, err := limiter.Bound(t.Context(), rule, "partner"); err != nil || !got.Until.Equal(raised.Until) || got.Limit != 8 || got.By != raised.By || got.Why != raised.Why {
		t.Errorf("Bound returns %+v, %v, want %+v", got, err, raised)
	}
	n, refused := spend(t, limiter, rule, "partner", 9)
	if n != 5 || refused.Rule.Limit != 8 || refused.RetryAfter != time.Hour {
		t.Errorf("%d more requests, then %+v; want 5, and a limit of 8", n, refused)
	}
	if n, d := spend(t, limiter, rule, "other", 9); n != 3 || d.Rule.Limit != 3 {
		t.Errorf("%d requests of another wallet, %+v; want 3", n, d)
	}
	clock.Advance(2 * time.Hour)
	if n, _ := spend(t, limiter, rule, "partner", 20); n != 8 {
		t.Errorf("%d requests in the next window, want 8", n)
	}
	clock.Advance(23 * time.Hour)
	if n, _ := spend(t, limiter, rule, "partner", 20); n != 3 {
		t.Errorf("%d requests after the end, want 3", n)
	}
	if got, err := limiter.Bound(t.Context(), rule, "partner"); err != nil || got != (windowtable.Bound{}) {
		t.Errorf("Bound returns %+v, %v after the end", got, err)
	}
}

// TestLoweredLimitHoldsForOneBucketUntilItsEnd tests that the caller sees the lower limit, in each
// window, whatever slots are guessed, and others see the rule's.
func TestLoweredLimitHoldsForOneBucketUntilItsEnd(t *testing.T) {
	clock := ratelimittest.NewClock()
	limiter, _ := windows(t, clock.Now)
	rule := ratelimit.Rule{Name: "create", Limit: 8, Window: time.Hour}
	lowered := windowtable.Bound{Limit: 2, Until: clock.Now().Add(4 * time.Hour).Truncate(time.Second)}
	if n, _ := spend(t, limiter, rule, "abuser", 9); n != 8 {
		t.Fatalf("%d requests before, want 8", n)
	}
	if err := limiter.Set(t.Context(), rule, "abuser", lowered); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if n, refused := spend(t, limiter, rule, "abuser", 1); n != 0 || refused.Rule.Limit != 2 || refused.RetryAfter <= 0 {
			t.Errorf("%d requests in the full window, %+v; want 0, and a limit of 2", n, refused)
		}
		clock.Advance(rule.Window)
		if n, refused := spend(t, limiter, rule, "abuser", 9); n != 2 || refused.Rule.Limit != 2 {
			t.Errorf("%d requests, %+v; want 2", n, refused)
		}
	}
	if n, _ := spend(t, limiter, rule, "other", 9); n != 8 {
		t.Errorf("%d requests of another wallet, want 8", n)
	}
	clock.Advance(rule.Window)
	if n, _ := spend(t, limiter, rule, "abuser", 9); n != 8 {
		t.Errorf("%d requests after the end, want 8", n)
	}
}

func TestEndRestoresTheRule(t *testing.T) {
	clock := ratelimittest.NewClock()
	limiter, _ := windows(t, clock.Now)
	rule := ratelimit.Rule{Name: "create", Limit: 2, Window: time.Hour}
	if err := limiter.Set(t.Context(), rule, "w", windowtable.Bound{Limit: 5, Until: clock.Now().Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	if n, _ := spend(t, limiter, rule, "w", 9); n != 5 {
		t.Errorf("%d requests, want 5", n)
	}
	if err := limiter.End(t.Context(), rule, "w"); err != nil {
		t.Fatal(err)
	}
	clock.Advance(rule.Window)
	if n, _ := spend(t, limiter, rule, "w", 9); n != 2 {
		t.Errorf("%d requests after it was lowered, want 2", n)
	}
}

func TestSetRejectsInvalidBounds(t *testing.T) {
	clock := ratelimittest.NewClock()
	limiter, _ := windows(t, clock.Now)
	rule := ratelimit.Rule{Name: "create", Limit: 2, Window: time.Hour}
	for _, r := range []windowtable.Bound{
		{Limit: 2, Until: clock.Now().Add(time.Hour)}, {Limit: windowtable.MaxBound + 1, Until: clock.Now().Add(time.Hour)}, {Limit: 3, Until: clock.Now()}, {Limit: 0, Until: clock.Now().Add(time.Hour)},
	} {
		if limiter.Set(t.Context(), rule, "w", r) == nil {
			t.Errorf("%+v is accepted", r)
		}
	}
}
