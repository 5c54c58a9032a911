// Package backoff says how long to wait between attempts.
package backoff

import "time"

// Pause is how long to wait after the n-th failure, n from 1: first, and after each
// further one twice as long, up to longest.
func Pause(first, longest time.Duration, n int) time.Duration {
	for ; n > 1 && first < longest; n-- {
		first *= 2
	}
	return min(first, longest)
}
