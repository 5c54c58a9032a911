package solanarpc

import (
	"context"
	"sync"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/secret"
)

// roster holds the network of the source's nodes. The state of the nodes is kept until the source
// returns other addresses.
type roster struct {
	source secret.Source

	mutex     sync.Mutex
	addresses string
	current   *network
}

// network returns the nodes for one call. A call uses the same nodes until the end.
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

// CheckAddresses checks addresses for New or From. The error does not show the addresses.
func CheckAddresses(addresses string) error {
	_, err := newNetwork(addresses)
	return err
}
