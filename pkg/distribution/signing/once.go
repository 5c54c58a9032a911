package signing

import (
	"errors"
	"sync"
)

// errUnfinished is what the others are told when the goroutine that makes a value ends before
// it has one. [sync.OnceValues] panics then.
var errUnfinished = errors.New("the value was not made")

// once makes a value for each key, when it is first asked for, and keeps it with its error.
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
