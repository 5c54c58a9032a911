package unused_test

import (
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/unused"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

func TestAbandoned(t *testing.T) {
	over := time.Date(2026, 11, 21, 12, 5, 0, 0, time.UTC)
	for status, can := range map[transaction.Status]bool{
		transaction.Pending: true, transaction.Superseded: true, transaction.Failed: true,
		transaction.Submitted: false, transaction.Confirmed: false, "new": false,
	} {
		l := launch.Launch{Prepared: transaction.Prepared{Status: status, ExpiresAt: over, SubmittedAt: over}}
		for after, due := range map[time.Duration]bool{
			-time.Second: false, time.Hour: false, unused.AbandonedAfter - 1: false, unused.AbandonedAfter: true,
		} {
			if got := unused.Abandoned(l, over.Add(after)); got != (can && due) {
				t.Errorf("%s, %s after it was over: %v", status, after, got)
			}
		}
	}
}
