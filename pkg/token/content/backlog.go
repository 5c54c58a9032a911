package content

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tokenlaunch.example/service/pkg/platform/backoff"
)

// A postponed pinning is retried after pauses that double from firstPinPause to maxPinPause.
// PinAttempts is the total number of attempts, which covers an outage of a day (asserted by a
// test). Afterwards the file is set aside for an operator.
const (
	PinAttempts   = 60
	firstPinPause = 30 * time.Second
	maxPinPause   = 30 * time.Minute
)

// PinPause returns the pause after the n-th attempt to pin a file failed, n from 1.
func PinPause(n int) time.Duration {
	return backoff.Pause(firstPinPause, maxPinPause, n)
}

var (
	// ErrNoObject is returned if the object store has no such file.
	ErrNoObject = errors.New("no such object")
	// ErrPermanent is returned if no later attempt can pin the file, because the file is gone or its
	// content does not match its name.
	ErrPermanent = errors.New("the file cannot be pinned")
)

// Source reads files of the object store. It returns ErrNoObject for a missing file.
type Source interface {
	Get(ctx context.Context, key string) ([]byte, error)
}

// Backlog pins files whose pinning was postponed. CID computes the content ID.
type Backlog struct {
	Objects Source
	Pinner  interface {
		Pinner
		Unpinner
	}
	CID func(content []byte) (string, error)
}

// Pin pins a file of the object store. It is idempotent. ErrPermanent is permanent; any other error
// may be transient. If the file is removed during the call (see Sweeper), Pin removes the pin.
func (b Backlog) Pin(ctx context.Context, request PinRequest) error {
	content, err := b.get(ctx, request)
	if err != nil {
		return err
	}
	cid, err := b.CID(content)
	if err != nil {
		return fmt.Errorf("%w: name the content of %s: %w", ErrPermanent, request.Key, err)
	}
	if cid != request.CID {
		return fmt.Errorf("%w: the content of %s is %s and not %s", ErrPermanent, request.Key, cid, request.CID)
	}
	if err := b.Pinner.Pin(ctx, cid, content); err != nil {
		return err
	}
	_, err = b.get(ctx, request)
	return err
}

// get reads a file. A missing file loses its pin if files of its kind are ever removed. The pin of
// a proof stays, because the pin may be the last copy.
func (b Backlog) get(ctx context.Context, request PinRequest) ([]byte, error) {
	content, err := b.Objects.Get(ctx, request.Key)
	if !errors.Is(err, ErrNoObject) {
		return content, err
	}
	if request.Key == Image.Key(request.CID) || request.Key == Metadata.Key(request.CID) {
		if failure := b.Pinner.Unpin(ctx, request.CID); failure != nil {
			return nil, failure
		}
	}
	return nil, errors.Join(ErrPermanent, err)
}
