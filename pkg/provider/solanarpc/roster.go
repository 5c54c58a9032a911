package solanarpc

import (
	"context"
	"sync"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/secret"
)

// roster holds the network of the nodes that the source names. What is known of nodes
// is kept for as long as the source says the same.
type roster struct {
	source secret.Source

	mutex     sync.Mutex
	addresses string
	current   *network
}

// network gives the nodes for one call, which keeps to them to its end.
func (r *roster) network(ctx context.Context) (*network, error) {
	addresses, err := r.source(ctx)
	if err != nil {
		return nil, err
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.current == nil || r.addresses != addresses {
		fresh, err := newNetwork(addresses)
		if err != nil {
			return nil, apperr.Upstream(upstream, err)
		}
		r.addresses, r.current = addresses, fresh
	}
	return r.current, nil
}

// CheckAddresses says what is wrong with addresses that New or From are to be given,
// without showing them.
func CheckAddresses(addresses string) error {
	_, err := newNetwork(addresses)
	return err
}
