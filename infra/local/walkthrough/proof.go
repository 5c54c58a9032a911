package walkthrough

import (
	"context"
	"time"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/token/content"
)

// pinnedWithin bounds the wait for a file of a proof to be on IPFS: the pinner's
// queue takes some seconds.
const pinnedWithin = time.Minute

// patient is a source of files that may not be there yet.
type patient struct{ format.Source }

// File fetches one, as soon as it is there. What cannot be fetched fails the proof.
func (p patient) File(ctx context.Context, kind content.Kind, cid string) ([]byte, error) {
	for deadline := time.Now().Add(pinnedWithin); ; {
		body, err := p.Source.File(ctx, kind, cid)
		if err == nil || ctx.Err() != nil || time.Now().After(deadline) {
			return body, err
		}
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
}
