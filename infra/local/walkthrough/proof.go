package walkthrough

import (
	"context"
	"time"

	"tokenlaunch.example/service/pkg/asset"
)

// pinnedWithin bounds the wait for a file of a proof to be on IPFS: the pinner's
// queue takes some seconds.
const pinnedWithin = time.Minute

// files are those of a gateway's folder, by their content ids.
type files struct{ folder string }

// File fetches one, as soon as it is there. What cannot be fetched fails the proof.
func (f files) File(ctx context.Context, _ asset.Kind, cid string) ([]byte, error) {
	for deadline := time.Now().Add(pinnedWithin); ; {
		content, err := fetch(ctx, f.folder+cid)
		if err == nil || ctx.Err() != nil || time.Now().After(deadline) {
			return content, err
		}
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
}
