package parallel_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tokenlaunch.example/service/pkg/platform/parallel"
)

func TestEachKeepsLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n, limit = 10, 3
		var done [n]bool
		var now, maximum int
		var mu sync.Mutex
		change := func(by int) {
			mu.Lock()
			defer mu.Unlock()
			now += by
			maximum = max(maximum, now)
		}
		parallel.Each(n, limit, func(i int) {
			change(1)
			time.Sleep(time.Second)
			change(-1)
			done[i] = true
		})
		for i, d := range done {
			if !d {
				t.Errorf("Each() returned before call %d", i)
			}
		}
		if maximum != limit {
			t.Errorf("%d calls at the same time, want %d", maximum, limit)
		}
	})
}
