// Package parallel runs a function for many indexes concurrently.
package parallel

import "golang.org/x/sync/errgroup"

// Each calls do for the numbers below n, with at most limit concurrent calls, and returns after all
// calls have returned.
func Each(n, limit int, do func(i int)) {
	var group errgroup.Group
	group.SetLimit(limit)
	for i := range n {
		group.Go(func() error {
			do(i)
			return nil
		})
	}
	_ = group.Wait() // the calls have no errors
}
