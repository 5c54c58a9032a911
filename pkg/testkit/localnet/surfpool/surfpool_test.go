package surfpool

import (
	"sync"
	"sync/atomic"
	"testing"
)

// Of two chains that start at once, both could open one port.
func TestStartsTakeTurns(t *testing.T) {
	var all sync.WaitGroup
	var starting atomic.Int32
	for range 20 {
		all.Go(func() {
			end, err := inTurn()
			if err != nil {
				t.Error(err)
				return
			}
			defer end()
			if n := starting.Add(1); n != 1 {
				t.Errorf("%d start at once", n)
			}
			starting.Add(-1)
		})
	}
	all.Wait()
}
