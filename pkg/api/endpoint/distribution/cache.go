package distribution

import (
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"
)

// How many answers an instance of the function keeps: a page of a ledger has up to a
// hundred kilobytes.
const (
	maxPreviews = 1_000
	maxPages    = 200
)

// Previews keeps the previews of this process for a while, so that many who look at
// one token ask the chain once. The zero Previews is empty and ready.
type Previews struct {
	kept[solana.PublicKey, previewBody]
}

func (p *Previews) get(mint solana.PublicKey, now time.Time, compute func() (previewBody, error)) (previewBody, error) {
	return p.kept.get(mint, maxPreviews, now, maxPreviewAge*time.Second, compute)
}

// Pages keeps pages of holders' ledgers likewise.
type Pages struct {
	kept[string, ledgerBody]
}

func (p *Pages) get(ask string, now time.Time, compute func() (ledgerBody, error)) (ledgerBody, error) {
	return p.kept.get(ask, maxPages, now, maxLedgerAge*time.Second, compute)
}

// kept keeps answers for a while by what was asked for.
type kept[K comparable, V any] struct {
	mu      sync.Mutex
	answers map[K]answer[V]
}

type answer[V any] struct {
	body  V
	until time.Time
}

// get gives the answer that is kept, or makes it.
func (k *kept[K, V]) get(key K, most int, now time.Time, age time.Duration, compute func() (V, error)) (V, error) {
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
	if k.answers == nil || len(k.answers) >= most {
		k.answers = map[K]answer[V]{}
	}
	k.answers[key] = answer[V]{body, now.Add(age)}
	return body, nil
}
