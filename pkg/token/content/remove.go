package content

import (
	"context"
	"errors"
)

// Remover removes objects. That there is none is no error.
type Remover interface {
	Delete(ctx context.Context, key string) error
}

// Sweeper removes files that nothing refers to. They stay pinned: a pinning
// service has one pin for a content, whoever else may have asked for it.
type Sweeper struct {
	Objects Remover
}

// RemoveMetadata removes a metadata file from the object store.
func (s Sweeper) RemoveMetadata(ctx context.Context, cid string) error {
	if cid == "" {
		return errors.New("remove a metadata file without a name")
	}
	return s.Objects.Delete(ctx, Metadata.Key(cid))
}
