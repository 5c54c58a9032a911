package content

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tokenlaunch.example/service/pkg/platform/backoff"
)

// What is put off is tried again after pauses that double from the first to the
// longest. PinAttempts is how often in all: that covers an outage of a day, after
// which a file is set aside for a person to look at (asserted by a test).
const (
	PinAttempts   = 60
	firstPinPause = 30 * time.Second
	maxPinPause   = 30 * time.Minute
)

// PinPause is the pause after the n-th attempt to pin a file failed, n from 1.
func PinPause(n int) time.Duration {
	return backoff.Pause(firstPinPause, maxPinPause, n)
}

var (
	// ErrNoObject: there is no such file in the object store.
	ErrNoObject = errors.New("no such object")
	// ErrHopeless: no later attempt can pin this file, for it is gone or is not what
	// its name says.
	ErrHopeless = errors.New("the file cannot be pinned")
)

// Source reads files of the object store. ErrNoObject when there is none.
type Source interface {
	Get(ctx context.Context, key string) ([]byte, error)
}

// Backlog pins files whose pinning was put off. CID names content.
type Backlog struct {
	Objects Source
	Pinner  interface {
		Pinner
		Unpinner
	}
	CID func(content []byte) (string, error)
}

// Pin pins a file of the object store. It may be called any number of times. An
// error that is ErrHopeless will come again, any other may pass. A file that is removed
// meanwhile (see Sweeper) keeps no pin.
func (b Backlog) Pin(ctx context.Context, request PinRequest) error {
	content, err := b.get(ctx, request)
	if err != nil {
		return err
	}
	cid, err := b.CID(content)
	if err != nil {
		return fmt.Errorf("%w: name the content of %s: %w", ErrHopeless, request.Key, err)
	}
	if cid != request.CID {
		return fmt.Errorf("%w: the content of %s is %s and not %s", ErrHopeless, request.Key, cid, request.CID)
	}
	if err := b.Pinner.Pin(ctx, cid, content); err != nil {
		return err
	}
	_, err = b.get(ctx, request)
	return err
}

// get reads a file. One that is not there, or no more, loses its pin, if it is of a kind
// that is ever removed: the pin of a proof may be the last copy.
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
	return nil, errors.Join(ErrHopeless, err)
}
