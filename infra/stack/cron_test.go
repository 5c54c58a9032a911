package stack

import (
	"testing"

	"tokenlaunch.example/service/pkg/token/terms"
)

// Intervals that are not offered: EventBridge cannot express "every second day", so the rule fires daily.
func TestCronOfLongIntervals(t *testing.T) {
	for interval, want := range map[string]string{"36h": "cron(0 0/12 * * ? *)", "48h": "cron(0 0 * * ? *)", "7d": "cron(0 0 * * ? *)", "90m": "cron(0/30 * * * ? *)"} {
		if got := cron(terms.Interval(interval)); got != want {
			t.Errorf("%s: %s, want %s", interval, got, want)
		}
	}
}
