package signing

import (
	"errors"
	"sync"
)

// errUnfinished is the error of concurrent callers if the goroutine that creates a value ends
// before create returns. [sync.OnceValues] panics in this case.
var errUnfinished = errors.New("the value was not made")

// once creates a value for each key on the first use of the key, and stores the value and its
// error.
type once[K comparable, V any] struct {
	mu   sync.Mutex
	made map[K]*made[V]
}

type made[V any] struct {
	once  sync.Once
	value V
	err   error
}

func (o *once[K, V]) get(key K, create func() (V, error)) (V, error) {
	o.mu.Lock()
	m := o.made[key]
	if m == nil {
		if o.made == nil {
			o.made = map[K]*made[V]{}
		}
		m = &made[V]{err: errUnfinished}
		o.made[key] = m
	}
	o.mu.Unlock()
	m.once.Do(func() { m.value, m.err = create() })
	return m.value, m.err
}
