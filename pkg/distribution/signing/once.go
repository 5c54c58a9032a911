package signing

import "sync"

// once makes a value for each key, when it is first asked for, and keeps it with its error.
type once[K comparable, V any] struct {
	mu   sync.Mutex
	made map[K]func() (V, error)
}

func (o *once[K, V]) get(key K, create func() (V, error)) (V, error) {
	o.mu.Lock()
	made := o.made[key]
	if made == nil {
		if o.made == nil {
			o.made = map[K]func() (V, error){}
		}
		made = sync.OnceValues(create)
		o.made[key] = made
	}
	o.mu.Unlock()
	return made()
}
