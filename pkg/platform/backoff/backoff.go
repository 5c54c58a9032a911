// Package backoff computes pauses between attempts.
package backoff

import "time"

// Pause returns the pause after the n-th failure, n from 1. The pause begins with first and doubles
// with every failure, up to longest.
func Pause(first, longest time.Duration, n int) time.Duration {
	for ; n > 1 && first < longest; n-- {
		first *= 2
	}
	return min(first, longest)
}
