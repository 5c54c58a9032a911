package launchpad

import (
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"
)

const (
	// keepFor is the lifetime of a cached curve.
	keepFor = 2 * time.Second
	// maxKept is the maximum number of cached curves of a function instance.
	maxKept = 1_000
)

// Kept caches the state of curves for two seconds, so that many viewers of a curve cause one
// request to the chain. The zero Kept is empty and ready.
type Kept struct {
	mu   sync.Mutex
	kept map[solana.PublicKey]kept
}

type kept struct {
	view  view
	until time.Time
}

// get returns the cached view of a mint, or reads a new view. A nil Kept always reads.
func (k *Kept) get(mint solana.PublicKey, now time.Time, read func() (view, error)) (view, error) {
	if k == nil {
		return read()
	}
	k.mu.Lock()
	found, ok := k.kept[mint]
	k.mu.Unlock()
	if ok && now.Before(found.until) {
		return found.view, nil
	}
	v, err := read()
	if err != nil {
		return view{}, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil || len(k.kept) >= maxKept {
		k.kept = map[solana.PublicKey]kept{}
	}
	k.kept[mint] = kept{v, now.Add(keepFor)}
	return v, nil
}
