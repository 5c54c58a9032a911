package ipfs

import (
	"context"
	"errors"

	"tokenlaunch.example/service/pkg/platform/parallel"
)

// Places pins content at several services. Content that one service lacks counts as not pinned, and
// is pinned again at all services, because pinning is idempotent.
type Places []Pinner

// Pin pins the content at all places concurrently. The error names each place that failed. The
// other places have the content.
func (p Places) Pin(ctx context.Context, cid string, content []byte) error {
	return p.each(func(place Pinner) error { return place.Pin(ctx, cid, content) })
}

// Unpin removes the pins of all places.
func (p Places) Unpin(ctx context.Context, cid string) error {
	return p.each(func(place Pinner) error { return place.Unpin(ctx, cid) })
}

func (p Places) each(do func(Pinner) error) error {
	errs := make([]error, len(p))
	parallel.Each(len(p), len(p), func(i int) { errs[i] = do(p[i]) })
	return errors.Join(errs...)
}
