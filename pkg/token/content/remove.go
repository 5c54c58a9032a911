package content

import (
	"context"
	"errors"
	"fmt"
)

// ErrBlocked is returned for content that operators took down, and that is not accepted again.
var ErrBlocked = errors.New("the content is blocked")

// WhyBlocked is the detail of a content_blocked error.
const WhyBlocked = "The operators of this service have blocked this image: choose another one."

// Remover deletes objects. Deleting a missing object is not an error.
type Remover interface {
	Delete(ctx context.Context, key string) error
}

// Unpinner removes pins. Removing a missing pin is not an error.
type Unpinner interface {
	Unpin(ctx context.Context, cid string) error
}

// Sweeper removes files that are no longer referenced, or that must not be shown. Each call is
// idempotent, and must be repeated after an error.
type Sweeper struct {
	Objects Remover
	Pins    Unpinner
}

// Remove deletes a file from the object store, and then its pin. In this order the Backlog, which
// pins the files in the store, cannot leave a pin behind.
func (s Sweeper) Remove(ctx context.Context, kind Kind, cid string) error {
	if cid == "" {
		return fmt.Errorf("remove a file of %s without a name", kind.Folder)
	}
	if err := s.Objects.Delete(ctx, kind.Key(cid)); err != nil {
		return err
	}
	return s.Unpin(ctx, cid)
}

// Unpin removes the pin of a file and leaves the file in the object store.
func (s Sweeper) Unpin(ctx context.Context, cid string) error {
	return s.Pins.Unpin(ctx, cid)
}
