package content

import (
	"context"
	"errors"
	"fmt"
)

// ErrBlocked: operations took this content down, and it is not taken again.
var ErrBlocked = errors.New("the content is blocked")

// WhyBlocked is the detail of a content_blocked error.
const WhyBlocked = "The operators of this service have blocked this picture: choose another one."

// Remover removes objects. That there is none is no error.
type Remover interface {
	Delete(ctx context.Context, key string) error
}

// Unpinner takes pins off. That there is none is no error.
type Unpinner interface {
	Unpin(ctx context.Context, cid string) error
}

// Sweeper removes files that nothing refers to any more, or that must not be shown. Each
// call may be repeated, and has to be when it fails.
type Sweeper struct {
	Objects Remover
	Pins    Unpinner
}

// Remove removes a file from the object store, and then its pin: in this order the Backlog,
// which pins what is in the store, cannot leave a pin behind.
func (s Sweeper) Remove(ctx context.Context, kind Kind, cid string) error {
	if cid == "" {
		return fmt.Errorf("remove a file of %s without a name", kind.Folder)
	}
	if err := s.Objects.Delete(ctx, kind.Key(cid)); err != nil {
		return err
	}
	return s.Unpin(ctx, cid)
}

// Unpin takes the pin of a file off and leaves it in the object store.
func (s Sweeper) Unpin(ctx context.Context, cid string) error {
	return s.Pins.Unpin(ctx, cid)
}
