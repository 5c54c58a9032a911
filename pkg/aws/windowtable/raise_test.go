package windowtable_test

import (
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

// spend counts requests until one is refused, at most a number of them.
func spend(t *testing.T, limiter windowtable.Limiter, rule ratelimit.Rule, key string, most int) (allowed int, last ratelimit.Decision) {
	t.Helper()
	for range most {
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

// TestRaisedLimitHoldsForOneBucketUntilItsEnd: the raised limit is told to the caller, others keep
// the rule's, and after the end or an operator's order the rule holds again.
func TestRaisedLimitHoldsForOneBucketUntilItsEnd(t *testing.T) {
	clock := ratelimittest.NewClock()
	limiter, _ := windows(t, clock.Now)
	rule := ratelimit.Rule{Name: "create", Limit: 3, Window: time.Hour}
	raised := windowtable.Raised{Limit: 8, Until: clock.Now().Add(24 * time.Hour).Truncate(time.Second), By: "arn:aws:iam::1:user/ana", Why: "a partner"}
	if n, _ := spend(t, limiter, rule, "partner", 9); n != 3 {
		t.Fatalf("%d requests before, want 3", n)
	}
	if err := limiter.Raise(t.Context(), rule, "partner", raised); err != nil {
		t.Fatal(err)
	}
	if got, err := limiter.Raised(t.Context(), rule, "partner"); err != nil || !got.Until.Equal(raised.Until) || got.Limit != 8 || got.By != raised.By || got.Why != raised.Why {
		t.Errorf("Raised returns %+v, %v, want %+v", got, err, raised)
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
	if got, err := limiter.Raised(t.Context(), rule, "partner"); err != nil || got != (windowtable.Raised{}) {
		t.Errorf("Raised returns %+v, %v after the end", got, err)
	}
}

func TestLowerEndsARaisedLimit(t *testing.T) {
	clock := ratelimittest.NewClock()
	limiter, _ := windows(t, clock.Now)
	rule := ratelimit.Rule{Name: "create", Limit: 2, Window: time.Hour}
	if err := limiter.Raise(t.Context(), rule, "w", windowtable.Raised{Limit: 5, Until: clock.Now().Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	if n, _ := spend(t, limiter, rule, "w", 9); n != 5 {
		t.Errorf("%d requests, want 5", n)
	}
	if err := limiter.Lower(t.Context(), rule, "w"); err != nil {
		t.Fatal(err)
	}
	clock.Advance(rule.Window)
	if n, _ := spend(t, limiter, rule, "w", 9); n != 2 {
		t.Errorf("%d requests after it was lowered, want 2", n)
	}
}

func TestRaiseRejectsALimitThatIsNone(t *testing.T) {
	clock := ratelimittest.NewClock()
	limiter, _ := windows(t, clock.Now)
	rule := ratelimit.Rule{Name: "create", Limit: 2, Window: time.Hour}
	for _, r := range []windowtable.Raised{
		{Limit: 2, Until: clock.Now().Add(time.Hour)}, {Limit: windowtable.MaxRaised + 1, Until: clock.Now().Add(time.Hour)}, {Limit: 3, Until: clock.Now()},
	} {
		if limiter.Raise(t.Context(), rule, "w", r) == nil {
			t.Errorf("%+v is taken", r)
		}
	}
}
