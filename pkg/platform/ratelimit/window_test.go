package ratelimit_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/platform/ratelimit"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func at(d time.Duration) time.Time { return noon.Add(d) }

func TestMemoryKeepsTheContract(t *testing.T) {
	ratelimittest.Contract(t, func(_ *testing.T, now func() time.Time) ratelimit.Limiter {
		return &ratelimittest.Memory{Now: now}
	})
}

func TestDecisions(t *testing.T) {
	rule := ratelimit.Rule{Name: "rule", Limit: 3, Window: 10 * time.Second}
	ms := time.Millisecond
	tests := []struct {
		name       string
		now        time.Duration
		claims     []time.Duration
		admitted   bool
		remaining  int
		reset      time.Duration
		retryAfter time.Duration
	}{
		{"first request", 0, []time.Duration{0}, true, 2, 10 * time.Second, 0},
		{"reset is rounded up", ms, []time.Duration{ms}, true, 2, 11 * time.Second, 0},
		{"the oldest counts, in any order", 5 * time.Second, []time.Duration{5 * time.Second, time.Second, 3 * time.Second}, true, 0, 11 * time.Second, 0},
		{"a claim that left the window is ignored", 10 * time.Second, []time.Duration{0, 10 * time.Second}, true, 2, 20 * time.Second, 0},
		{"a claim that is just inside counts", 10*time.Second - time.Microsecond, []time.Duration{0, 10 * time.Second}, true, 1, 10 * time.Second, 0},
		{"claims of clocks ahead of our clock count", 0, []time.Duration{0, 40 * ms}, true, 1, 10 * time.Second, 0},
		{"more claims than places", 0, []time.Duration{0, 0, 0, 0}, true, 0, 10 * time.Second, 0},
		{"refused", 4 * time.Second, []time.Duration{0, 0, 0}, false, 0, 10 * time.Second, 6 * time.Second},
		{"the wait is rounded up", 4*time.Second + ms, []time.Duration{ms, 2 * ms, 3 * ms}, false, 0, 11 * time.Second, 6 * time.Second},
		{"a whole wait is not made longer", 4*time.Second - ms, []time.Duration{0, 0, 0}, false, 0, 10 * time.Second, 7 * time.Second},
		{"the wait is at least a second", 10*time.Second - time.Microsecond, []time.Duration{0, 0, 0}, false, 0, 10 * time.Second, time.Second},
		{"nanoseconds do not count", 4*time.Second + 999, []time.Duration{0, 0, 0}, false, 0, 10 * time.Second, 6 * time.Second},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var claims []time.Time
			for _, c := range test.claims {
				claims = append(claims, at(c))
			}
			got := rule.Refuse(at(test.now), claims)
			if test.admitted {
				got = rule.Allow(at(test.now), claims)
			}
			want := ratelimit.Decision{Rule: rule, Allowed: test.admitted, Remaining: test.remaining, Reset: at(test.reset), RetryAfter: test.retryAfter}
			if got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

func TestUnknownPromisesNoMoreThanTheRule(t *testing.T) {
	rule := ratelimit.Rule{Name: "verify", Limit: 20, Window: time.Minute}
	got := rule.Unknown(at(time.Millisecond))
	want := ratelimit.Decision{Rule: rule, Allowed: true, Remaining: 20, Reset: at(61 * time.Second)}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestWaitIsEnoughAndShortest tests that the oldest claim no longer counts after RetryAfter, and
// still counted a whole second earlier.
func TestWaitIsEnoughAndShortest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule := ratelimit.Rule{
			Name:   "any",
			Limit:  rapid.IntRange(1, 100).Draw(t, "limit"),
			Window: time.Duration(rapid.Int64Range(1, 3600).Draw(t, "seconds")) * time.Second,
		}
		now := at(time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "now")))
		claims := make([]time.Time, rule.Limit)
		oldest := now
		for i := range claims {
			age := time.Duration(rapid.Int64Range(0, int64(rule.Window/time.Microsecond)-1).Draw(t, "age")) * time.Microsecond
			claims[i] = now.Truncate(ratelimit.Precision).Add(-age)
			if claims[i].Before(oldest) {
				oldest = claims[i]
			}
		}
		got := rule.Refuse(now, claims)
		if got.RetryAfter%time.Second != 0 || got.RetryAfter < time.Second || got.RetryAfter > rule.Window {
			t.Fatalf("retry after %s", got.RetryAfter)
		}
		if rule.Counts(oldest, now.Add(got.RetryAfter)) {
			t.Fatalf("the oldest claim still counts after %s", got.RetryAfter)
		}
		if earlier := got.RetryAfter - time.Second; earlier > 0 && !rule.Counts(oldest, now.Add(earlier)) {
			t.Fatalf("%s would have been enough", earlier)
		}
		if got.Reset.Nanosecond() != 0 || got.Reset.After(now.Add(rule.Window+time.Second)) || rule.Counts(oldest, got.Reset) {
			t.Fatalf("reset at %s", got.Reset)
		}
	})
}

func TestAddressKey(t *testing.T) {
	for address, want := range map[string]string{
		"203.0.113.9":              "203.0.113.9",
		"::ffff:203.0.113.9":       "203.0.113.9",
		"2001:db8:1:2:3:4:5:6":     "2001:db8:1:2::/64",
		"2001:db8:1:2::":           "2001:db8:1:2::/64",
		"2001:0DB8:1:2:ffff::1":    "2001:db8:1:2::/64",
		"2001:db8:1:3::1":          "2001:db8:1:3::/64",
		"fe80::1%eth0":             "fe80::/64",
		"::1":                      "::/64",
		"":                         "unknown",
		"example.com":              "unknown",
		"203.0.113.9:1234":         "unknown",
		"203.0.113.9, 203.0.113.1": "unknown",
	} {
		if got := ratelimit.AddressKey(address); got != want {
			t.Errorf("AddressKey(%q) = %q, want %q", address, got, want)
		}
	}
}
