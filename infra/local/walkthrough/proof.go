package walkthrough

import (
	"context"
	"time"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/token/content"
)

// pinnedWithin bounds the wait for the pinning of a proof's file: the pinner's queue takes some
// seconds.
const pinnedWithin = time.Minute

// patient is a source of files that may not exist yet.
type patient struct{ format.Source }

// File fetches a file as soon as the file exists. If a file cannot be fetched, the proof fails.
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
