// Package parallel runs the same function for many things at the same time.
package parallel

import "golang.org/x/sync/errgroup"

// Each calls do for the numbers below n, at most limit of them at the same time, and returns
// when all calls have returned.
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
