package launchpad

import (
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"
)

const (
	// keepFor is how long what was read of a curve is answered again.
	keepFor = 2 * time.Second
	// maxKept bounds how many curves an instance of the function keeps.
	maxKept = 1_000
)

// Kept keeps what was read of curves for two seconds, so that many who look at one
// curve ask the chain once. The zero Kept is empty and ready.
type Kept struct {
	mu   sync.Mutex
	kept map[solana.PublicKey]kept
}

type kept struct {
	view  view
	until time.Time
}

// get gives the view of a mint that is kept, or makes it. A nil Kept always makes it.
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
