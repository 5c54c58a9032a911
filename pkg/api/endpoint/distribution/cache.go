package distribution

import (
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"
)

// maxPreviews bounds how many previews an instance of the function keeps.
const maxPreviews = 1_000

// Previews keeps the previews of this process for a while, so that many who look at
// one token ask the chain once. The zero Previews is empty and ready.
type Previews struct {
	mu   sync.Mutex
	kept map[solana.PublicKey]keptPreview
}

type keptPreview struct {
	body  previewBody
	until time.Time
}

// get gives the preview of a mint that is kept, or makes it.
func (p *Previews) get(mint solana.PublicKey, now time.Time, compute func() (previewBody, error)) (previewBody, error) {
	p.mu.Lock()
	found, ok := p.kept[mint]
	p.mu.Unlock()
	if ok && now.Before(found.until) {
		return found.body, nil
	}
	body, err := compute()
	if err != nil {
		return previewBody{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kept == nil || len(p.kept) >= maxPreviews {
		p.kept = map[solana.PublicKey]keptPreview{}
	}
	p.kept[mint] = keptPreview{body, now.Add(maxPreviewAge * time.Second)}
	return body, nil
}
