package distribution

import (
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"
)

// The maximum number of responses in the cache of a function instance. A page of a ledger has up to
// a hundred kilobytes.
const (
	maxPreviews = 1_000
	maxPages    = 200
)

// Previews caches the previews of this process, so that many readers of one token cause only one
// read of the chain. The zero Previews is empty and ready to use.
type Previews struct {
	kept[solana.PublicKey, previewBody]
}

func (p *Previews) get(mint solana.PublicKey, now time.Time, compute func() (previewBody, error)) (previewBody, error) {
	return p.kept.get(mint, maxPreviews, now, maxPreviewAge*time.Second, compute)
}

// Pages caches pages of holders' ledgers in the same way.
type Pages struct {
	kept[string, ledgerBody]
}

func (p *Pages) get(ask string, now time.Time, compute func() (ledgerBody, error)) (ledgerBody, error) {
	return p.kept.get(ask, maxPages, now, maxLedgerAge*time.Second, compute)
}

// kept is a cache of responses by request.
type kept[K comparable, V any] struct {
	mu      sync.Mutex
	answers map[K]answer[V]
}

type answer[V any] struct {
	body  V
	until time.Time
}

// get returns the cached response, or computes and caches the response.
func (k *kept[K, V]) get(key K, maximum int, now time.Time, age time.Duration, compute func() (V, error)) (V, error) {
	k.mu.Lock()
	found, ok := k.answers[key]
	k.mu.Unlock()
	if ok && now.Before(found.until) {
		return found.body, nil
	}
	body, err := compute()
	if err != nil {
		var none V
		return none, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.answers == nil || len(k.answers) >= maximum {
		k.answers = map[K]answer[V]{}
	}
	k.answers[key] = answer[V]{body, now.Add(age)}
	return body, nil
}
