package write

import (
	"context"
	"crypto/sha256"
	"fmt"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/token/content"
)

// KeepAnchor saves the signed transaction, and returns its content id, which names the
// whole proof. It refuses one that verify.Bundle would refuse.
func KeepAnchor(ctx context.Context, store Store, raw []byte) (cid string, err error) {
	if _, err := verify.ReadAnchor(raw); err != nil {
		return "", fmt.Errorf("keep an anchor: %w", err)
	}
	cid = format.CID(sha256.Sum256(raw))
	saved, err := store.Save(ctx, content.ProofAnchor, raw)
	if err != nil {
		return "", fmt.Errorf("keep an anchor: %w", err)
	}
	if saved.CID != cid {
		return "", fmt.Errorf("keep an anchor: it is %s and was saved as %s", cid, saved.CID)
	}
	return cid, nil
}
